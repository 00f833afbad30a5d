#include "bench/phases/predict/within_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/config/units.hpp"
#include "bench/phases/predict/predictions.hpp"
#include "bench/phases/predict/probed_machine.hpp"
#include "bench/plan/problem_data.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct Level {
  std::string name;
  double bytes = 0;
};

/// By size.
std::vector<Level> levels_of(const json& device) {
  std::vector<Level> levels;
  for (const json& level : device.value("levels", json::array()))
    levels.push_back({level.at("name").get<std::string>(), level.at("measured_bytes").get<double>()});
  std::ranges::sort(levels, {}, &Level::bytes);
  return levels;
}

/// 0: nothing is read at random, or its size is not known before the problem is loaded.
std::uint64_t footprint_of(const State& state, const std::map<std::string, std::uint64_t>& bytes) {
  if (!state.variant->cost) return 0;
  try {
    const Cost cost = state.variant->cost({state.key.point, state.key.problem, bytes});
    return cost.traffic ? cost.traffic->footprint_bytes : 0;
  } catch (const ResourceError&) {
    return 0;
  }
}

}  // namespace

std::vector<DeviceInfo> devices_of_profile(const json& profile) {
  std::vector<DeviceInfo> devices;
  for (const auto& [id, device] : profile.at("devices").items())
    devices.push_back({.id = id,
                       .kind = kind_of_device(id),
                       .free_bytes = device.value("/stated/memory_bytes"_json_pointer, std::size_t{0})});
  return devices;
}

std::vector<WithinLevel> within_levels(std::span<const State> kernels, const SuiteConfig& config,
                                       const json& profile) {
  std::vector<WithinLevel> found;
  const std::map<std::string, std::uint64_t> bytes = data_bytes(config);
  std::map<std::string, std::vector<Level>> levels;
  for (const auto& [id, device] : profile.at("devices").items()) levels[id] = levels_of(device);
  for (const State& state : kernels) {
    if (state.kind != "kernel" || !levels.contains(state.key.device)) continue;
    WithinLevel one{.state = state.key, .footprint_bytes = footprint_of(state, bytes)};
    if (one.footprint_bytes == 0) continue;
    const std::vector<Level>& of = levels.at(state.key.device);
    const auto level =
        std::ranges::lower_bound(of, static_cast<double>(one.footprint_bytes), {}, &Level::bytes);
    if (level != of.end()) {
      one.level = level->name;
      one.level_bytes = level->bytes;
    }
    found.push_back(std::move(one));
  }
  return found;
}

std::string within_levels_text(std::span<const WithinLevel> states, const json& profile) {
  std::vector<Point> problems;
  std::map<std::string, std::vector<Point>> points;                     // by variant
  std::map<std::string, std::vector<const WithinLevel*>> by_candidate;  // device, variant and point
  for (const WithinLevel& one : states) {
    problems.push_back(one.state.problem);
    points[one.state.variant].push_back(one.state.point);
    by_candidate[fmt::format("{} {} {}", one.state.device, one.state.variant, one.state.point.to_string())]
        .push_back(&one);
  }
  // Points of a variant that touch the same are one: an axis may say how it is searched.
  std::map<std::string, std::pair<std::string, std::size_t>> groups;  // by touched memory: the first, count
  for (auto& [candidate, of] : by_candidate) {
    std::ranges::stable_sort(of, {}, &WithinLevel::footprint_bytes);
    std::string touched;
    for (const WithinLevel* one : of)
      touched += fmt::format("    {}: {}B, {}\n", differing_axes(problems, one->state.problem).to_string(),
                             prefixed(static_cast<double>(one->footprint_bytes)),
                             one->level.empty()
                                 ? "beyond all levels"
                                 : fmt::format("within {} ({}B)", one->level, prefixed(one->level_bytes)));
    const results::StateKey& state = of.front()->state;
    auto& [first, count] = groups[fmt::format("{} {}\n{}", state.device, state.variant, touched)];
    if (count++ == 0)
      first = fmt::format("  {} {} {}\n{}", state.device, state.variant,
                          differing_axes(points[state.variant], state.point).to_string(), touched);
  }
  std::string text;
  for (const auto& [id, device] : profile.at("devices").items())
    text += fmt::format(
        "{} ({}): the profile has levels and no curve of random accesses. Bytes that configurations read "
        "at random, at most, and the smallest level that holds them:\n",
        device.value("name", id), id);
  for (const auto& [touched, group] : groups) {
    text += group.first;
    if (group.second > 1)
      text += fmt::format("    and {} more configurations with the same bytes\n", group.second - 1);
  }
  return text;
}

ordered_json within_levels_json(std::span<const WithinLevel> states) {
  ordered_json all = ordered_json::array();
  for (const WithinLevel& one : states)
    all.push_back({{"device", one.state.device},
                   {"family", one.state.family},
                   {"problem", one.state.problem.to_json()},
                   {"variant", one.state.variant},
                   {"point", one.state.point.to_json()},
                   {"footprint_bytes", one.footprint_bytes},
                   {"level", one.level.empty() ? ordered_json() : ordered_json(one.level)},
                   {"level_bytes", one.level_bytes > 0 ? ordered_json(one.level_bytes) : ordered_json()}});
  return all;
}

}  // namespace gpuseq::bench
