#include "bench/plugin/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <span>
#include <stdexcept>

#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"
#ifdef GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#endif

namespace gpuseq::bench {
namespace {

/// @param why  the return value of a function of a plugin
void require(const char* why, std::string_view function) {
  if (why == nullptr) return;
  const std::string reason = why;
  if (reason.starts_with(GPUSEQ_UNSUPPORTED))
    throw ResourceError(reason.substr(sizeof(GPUSEQ_UNSUPPORTED) - 1));
  throw std::runtime_error(fmt::format("the plugin's {} failed: {}", function, reason));
}

gpuseq_device given_device(Device& device, const std::string& id, const Point& point) {
  gpuseq_device given{.id = id.c_str(), .cuda_ordinal = -1, .stream = nullptr, .threads = 1};
  if (device.kind() == DeviceKind::cpu) {
    const auto threads = static_cast<std::int32_t>(point.integer("threads"));
    given.threads = threads == 0 ? available_cpus() : threads;
  }
#ifdef GPUSEQ_HAVE_CUDA
  if (device.kind() == DeviceKind::cuda) {
    cuda::CudaDevice& cuda = cuda::cuda_device(device);
    cuda.make_current();
    given.cuda_ordinal = cuda.ordinal();
    given.stream = cuda.stream();
  }
#endif
  return given;
}

}  // namespace

PluginSession::PluginSession(const PluginDescription& plugin, PluginProblem problem, const Point& point,
                             Device& device)
    : plugin_(load_plugin(plugin)),
      problem_(std::move(problem)),
      device_(device),
      device_id_(device.id()),
      target_(plugin.target),
      operations_(plugin.operations) {
  for (const Axis& axis : plugin.parameters) parameters_.push_back(point.integer(axis.name));
  input_ = {.problem = problem_.problem,
            .parameters = parameters_.data(),
            .device = given_device(device, device_id_, point)};
  const auto start = std::chrono::steady_clock::now();
  require(plugin_.prepare(&input_, &state_), "prepare");
  prepare_s_ = seconds_since(start);
}

PluginSession::~PluginSession() {
  plugin_.release(state_);
}

Cost PluginSession::cost() const {
  Cost cost{.work = problem_.work};
  if (plugin_.cost == nullptr) {
    cost.why_no_bound = "the plugin counts no cost of a launch";
    return cost;
  }
  gpuseq_cost counted{};
  require(plugin_.cost(state_, &counted), "cost");
  cost.held.add(kIndexPart, counted.index_bytes).add("other", counted.other_bytes);
  if (plugin_.block_bytes > 0 && counted.blocks > 0) {
    cost.traffic = Traffic{.blocks = counted.blocks,
                           .block_bytes = plugin_.block_bytes,
                           .footprint_bytes = counted.footprint_bytes,
                           .access = plugin_.dependent != 0 ? "dependent" : "independent"};
    for (const auto& [bytes, blocks] : std::span(counted.classes, counted.class_count))
      cost.traffic->classes.push_back({.footprint_bytes = bytes, .blocks = blocks});
  }
  if (!operations_.empty() && counted.operations != nullptr) {
    cost.instructions = Instructions{.target = target_};
    for (std::size_t i = 0; i < operations_.size(); ++i)
      cost.instructions->operations[operations_[i]] = counted.operations[i];
  }
  if (!cost.traffic && !cost.instructions)
    cost.why_no_bound = "the plugin counts neither blocks nor operations of a launch";
  return cost;
}

void PluginSession::launch() {
  require(plugin_.launch(state_), "launch");
}

Verification PluginSession::verify() {
  launch();
  device_.synchronize();
  require(plugin_.answers(state_, problem_.answers), "answers");
  return problem_.check();
}

nlohmann::json PluginSession::facts() const {
  nlohmann::json facts = problem_.facts;
  facts["build_s"] = prepare_s_;  // instead of the index that the problem builds for our variants
  if (input_.device.cuda_ordinal < 0) facts["threads"] = input_.device.threads;
  return facts;
}

}  // namespace gpuseq::bench
