#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/config/registry.hpp"
#include "bench/config/selection.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The problem and the limit that layouts are estimated for. Nothing is loaded.
struct LayoutRequest {
  Point problem;                                    // complete
  std::map<std::string, std::uint64_t> data_bytes;  // as in StateOutline
  std::optional<std::uint64_t> index_bytes;         // the limit; nullopt: the memory of each device
};

/// One index of one variant.
struct Layout {
  std::string variant;
  std::uint64_t index_bytes = 0;  // estimated, as all amounts
  Point usual = {};               // its point with most axes at their defaults
  Restriction axes = {};          // one value of each axis of the index, all values of the others
  std::uint64_t held_bytes = 0;   // at the usual point: with queries and output
  double blocks_per_base = std::numeric_limits<double>::infinity();  // read for the queries
  std::size_t block_bytes = 0;
};

struct Layouts {
  std::vector<Layout> within;           // the limit
  std::optional<Layout> smallest = {};  // of all; nullopt: no variant has an index
};

/// The layouts of a family whose estimated index is within the limit. The axes `kept` stay at their defaults.
Layouts layouts_within(const Family& family, const LayoutRequest& request,
                       std::span<const DeviceInfo> devices, std::span<const std::string_view> kept);

/// The order in which layouts are measured: those that read fewer blocks come first, then those of smaller
/// blocks; the best of each variant comes before all others.
std::vector<Layout> ranked(std::vector<Layout> layouts);

}  // namespace gpuseq::bench
