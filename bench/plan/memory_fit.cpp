#include "bench/plan/memory_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/config/units.hpp"
#include "bench/plan/other_devices.hpp"
#include "bench/plan/problem_data.hpp"
#include "results/names/short_names.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

/// The states of one problem on one device that are larger than its memory.
struct TooLarge {
  std::string name;
  std::size_t states = 0, all = 0;
  std::uint64_t least = UINT64_MAX, most = 0, free_bytes = 0;
};

std::string text_of(const TooLarge& part) {
  const auto text = [](std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  const std::string most = part.least == part.most ? "" : " to " + text(part.most);
  return fmt::format("{}: {} of {} states need {}{}, more than the {} that are free, and are skipped",
                     part.name, part.states, part.all, text(part.least), most, text(part.free_bytes));
}

}  // namespace

std::optional<std::uint64_t> estimated_bytes(const State& state,
                                             const std::map<std::string, std::uint64_t>& data_bytes) {
  if (!state.variant->cost) return std::nullopt;
  try {
    return state.variant->cost({state.key.point, state.key.problem, data_bytes}).held.bytes();
  } catch (const ResourceError&) {
    return std::nullopt;
  }
}

std::vector<std::string> too_large_remarks(const SuiteConfig& config, const Sweep& sweep,
                                           std::span<const DeviceInfo> devices) {
  const std::map<std::string, std::uint64_t> data = data_bytes(config);
  std::vector<results::LabelledState> labelled;
  for (const State& state : sweep.kernels) labelled.push_back({&state.key});
  const results::ShortNames names(labelled);
  std::map<std::string, TooLarge> parts;
  std::vector<std::string> order;
  for (const State& state : sweep.kernels) {
    const auto device = std::ranges::find(devices, state.key.device, &DeviceInfo::id);
    if (device == devices.end() || uses_other_devices(state.key)) continue;
    const std::string key = problem_key(state.key) + " on " + state.key.device;
    const auto [part, is_new] = parts.emplace(key, TooLarge{});
    if (is_new) order.push_back(key);
    ++part->second.all;
    const std::uint64_t bytes = estimated_bytes(state, data).value_or(0);
    if (bytes <= device->free_bytes) continue;
    part->second.name =
        fmt::format("{} ({}) on {}", state.key.family, names.problem(state.key), state.key.device);
    part->second.free_bytes = device->free_bytes;
    part->second.least = std::min(part->second.least, bytes);
    part->second.most = std::max(part->second.most, bytes);
    ++part->second.states;
  }
  std::vector<std::string> remarks;
  for (const std::string& key : order)
    if (parts.at(key).states > 0) remarks.push_back(text_of(parts.at(key)));
  return remarks;
}

}  // namespace gpuseq::bench
