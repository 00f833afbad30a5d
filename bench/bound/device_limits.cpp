#include "bench/bound/device_limits.hpp"

#include <algorithm>
#include <array>

namespace gpuseq::bench {

DeviceLimits limits_of(const nlohmann::json& description) {
  constexpr std::array kCpuLevels{BindingResource::l1, BindingResource::l2, BindingResource::l3};
  DeviceLimits limits;
  if (!description.is_object()) return limits;
  const auto number = [](const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  limits.multiprocessors = static_cast<int>(number(description, "multiprocessors"));
  if (const double bytes = number(description, "l2_bytes"); bytes > 0)
    limits.levels.push_back({BindingResource::l2, bytes});
  const auto caches = description.find("caches");
  if (caches == description.end() || !caches->is_array()) return limits;
  for (const nlohmann::json& cache : *caches) {
    const double level = number(cache, "level");
    if (level < 1 || level > kCpuLevels.size()) continue;
    limits.levels.push_back({kCpuLevels[static_cast<std::size_t>(level) - 1], number(cache, "bytes")});
  }
  std::ranges::sort(limits.levels, {}, &DeviceLimits::Level::bound);
  return limits;
}

BindingResource level_at(const DeviceLimits& limits, double footprint_bytes) {
  if (limits.levels.empty()) return BindingResource::memory;
  for (const DeviceLimits::Level& level : limits.levels)
    if (footprint_bytes <= level.bytes) return level.bound;
  return BindingResource::dram;
}

}  // namespace gpuseq::bench
