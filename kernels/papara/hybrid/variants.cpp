#include <fmt/format.h>

#include <algorithm>

#include "kernels/papara/cpu/plan.hpp"
#include "kernels/papara/hybrid/session.hpp"
#include "kernels/papara/outline.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/concatenated.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {
namespace {

constexpr std::int64_t kMostThreads = 1024, kMostGpus = 8;
constexpr std::int64_t kMostPairs = std::int64_t{1} << 40;

SearchSpace hybrid_space(const CudaPart& gpus) {
  std::vector<Axis> axes{
      integer_axis("cpu_threads", {0, -1}, 0,
                   "pinned threads; 0: one per logical CPU that no worker of a GPU needs; -1: none", -1,
                   kMostThreads),
      integer_axis("gpus", {-1, 0, 1}, -1, "number of GPUs, from the first on; -1: all", -1, kMostGpus),
      integer_axis("least_gpu_pairs", {0}, 0,
                   "minimum number of pairs that a GPU takes at a time; 0: as many as occupy it", 0,
                   kMostPairs)};
  axes = concatenated(concatenated(std::move(axes), blocked_axes()), gpus.axes);
  return {std::move(axes), gpus.constraints};
}

/// Opens `wanted` GPUs (-1: all). An unusable GPU is noted, or an error if it was requested.
void open_gpus(const PaparaProblem& problem, const CudaPart& gpus, const Point& point, HybridParts& parts) {
  const std::int64_t wanted = point.integer("gpus");
  if (wanted == 0) return;
  const DeviceList devices = list_devices();
  const std::int64_t found = static_cast<std::int64_t>(devices.ids.size()) - 1;
  if (wanted > found)
    throw ResourceError(
        fmt::format("gpus: found {}, asked for {}{}", found, wanted,
                    devices.reason_no_cuda.empty() ? "" : " (" + devices.reason_no_cuda + ")"));
  if (found == 0) parts.notes.push_back(fmt::format("no GPU takes part: {}", devices.reason_no_cuda));
  for (std::int64_t i = 0; i < (wanted < 0 ? found : wanted); ++i) {
    const std::string& id = devices.ids[static_cast<std::size_t>(i) + 1];
    try {
      HybridGpu gpu{.id = id, .device = open_device(id), .scorer = {}};
      gpu.scorer = gpus.make_scorer(problem, point, *gpu.device);
      parts.gpus.push_back(std::move(gpu));
    } catch (const std::exception& error) {
      if (wanted > 0) throw;
      parts.notes.push_back(fmt::format("{} takes no part: {}", id, error.what()));
    }
  }
}

/// The most GPUs that may take part.
std::size_t most_gpus(const Point& point) {
  const std::int64_t wanted = point.integer("gpus");
  return wanted < 0 ? list_devices().ids.size() - 1 : static_cast<std::size_t>(wanted);
}

/// The cost of the CPUs and of each GPU that may take part.
Cost hybrid_cost(const CudaPart& gpus, const StateOutline& state) {
  const std::int64_t threads = state.point.integer("cpu_threads");
  Cost cost = blocked_scorer_cost(state, threads < 0    ? 0
                                         : threads == 0 ? available_cpus()
                                                        : static_cast<int>(threads));
  Instructions all;
  if (threads >= 0) {
    if (!cost.instructions) return cost;
    all.by_device.push_back(
        {"cpu", std::move(cost.instructions->operations), std::move(cost.instructions->target)});
  }
  if (state.point.integer("gpus") != 0 && gpus.cost != nullptr) {  // null in a build without CUDA
    Cost gpu = gpus.cost(state.point, outlined_sizes(state));
    for (std::size_t i = 0; i < most_gpus(state.point); ++i)
      for (const auto& [part, bytes] : gpu.held.parts)
        cost.held.add(fmt::format("{} on cuda:{}", part, i), bytes);
    all.by_device.push_back({"cuda", std::move(gpu.instructions.value().operations)});
  }
  cost.instructions = std::move(all);
  cost.why_no_bound.clear();
  return cost;
}

}  // namespace

Variant hybrid_variant(const CudaPart& gpus) {
  const auto prepare = [gpus](PaparaProblem& problem, const Point& point, Device& device) {
    const CpuPlan plan = plan_blocked(problem, point);
    HybridParts parts{.cpu = make_cpu_scorer(problem, plan),
                      .cpu_device = &device,
                      .queries_per_item = plan.queries_per_tile,
                      .gpus = {},
                      .least_gpu_pairs = static_cast<u64>(point.integer("least_gpu_pairs")),
                      .notes = {}};
    open_gpus(problem, gpus, point, parts);
    const std::int64_t threads = point.integer("cpu_threads");
    const int free_cpus = std::max(1, available_cpus() - static_cast<int>(parts.gpus.size()));
    parts.cpu_threads = threads < 0 ? 0 : threads == 0 ? free_cpus : static_cast<int>(threads);
    return make_hybrid(problem, std::move(parts));
  };
  return {.name = "hybrid",
          .summary = "CPU threads and all GPUs share the pairs",
          .space = hybrid_space(gpus),
          .prepare = prepare_by<PaparaProblem>(prepare),
          .cost = [gpus](const StateOutline& state) { return hybrid_cost(gpus, state); }};
}

}  // namespace gpuseq::papara
