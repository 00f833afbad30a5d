#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "bench/config/registry.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The problem and the limit that layouts are estimated for. Nothing is loaded.
struct LayoutRequest {
  Point problem;                                    // complete
  std::map<std::string, std::uint64_t> data_bytes;  // as in StateOutline
  std::optional<std::uint64_t> index_bytes;         // the limit; nullopt: the memory of each device
};

/// A configuration with its estimated index.
struct SizedPoint {
  std::string variant;
  Point point;
  std::uint64_t index_bytes = 0;
};

struct Layouts {
  nlohmann::json variants = nlohmann::json::object();  // as in a config; variants without a layout are absent
  double points = 0;                                   // combinations of values
  std::optional<SizedPoint> smallest = {};             // of all layouts; nullopt: no variant has an index
};

/// The layouts of a family whose estimated index is within the limit, with all values of the axes that do not
/// change the index. The axes `kept` stay at their defaults.
Layouts layouts_within(const Family& family, const LayoutRequest& request,
                       std::span<const DeviceInfo> devices, std::span<const std::string_view> kept);

}  // namespace gpuseq::bench
