#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/bound/curves.hpp"
#include "probes/levels/levels.hpp"

namespace gpuseq::bench {

/// The curves of a device as input of the level fit: random accesses and latencies. Sequential curves are
/// left out, as they depend on prefetchers and streams. Every thread, or SM, accesses the whole footprint, so
/// that a private cache appears at its own size for any number of threads, and curves of one thread and of
/// all are combined. If there are curves on transparent huge pages, those on other pages are left out.
std::vector<probes::LevelCurve> level_curves(std::span<const Curve> curves, const std::string& device);

/// A size with a known name.
struct StatedLevel {
  std::string name;  // "L1", "L2 near", "L2", "L3"
  double bytes = 0;
  /// Source of the name. Except for kByStatement, the size only names a level of that size and is not stated.
  std::string by = kByStatement;

  static constexpr const char* kByStatement = "stated size";
  static constexpr const char* kBySharedMemory = "shared memory";
};

/// Stated levels of a device's description, nearest first. "L2 near" is half of a GPU's L2: the near
/// partition of the SMs. The L1 of a GPU shares its memory with shared memory, which can take all but a few
/// KiB. So no L1 size is stated, but the level is recognised by the maximum size of shared memory.
std::vector<StatedLevel> stated_levels(const nlohmann::json& description);

/// A measured level and its name.
struct NamedLevel {
  std::string name;  // as stated, "TLB", or "level N" counted from the nearest
  probes::MemoryLevel measured;
  std::optional<double> stated_bytes;
  std::string named_by = {};  // StatedLevel::by; empty without such a size
};

/// Why a level without a known name is doubtful: only one curve shows it, most resampled fits lack it, or
/// dependent accesses take the same time on both sides of it. A farther level has a longer latency; if only
/// rates change, the cause is another, such as forwarding or merging of requests.
std::string doubt_of(const NamedLevel& level, std::span<const probes::LevelCurve> curves);

/// Each level gets the name of the nearest stated size within a quarter or within its interval. Each name is
/// given once, to a certain level before an uncertain one. A level of more than eight times the largest
/// stated cache is a TLB level, whatever its costs.
std::vector<NamedLevel> name_levels(std::span<const probes::MemoryLevel> levels,
                                    std::span<const StatedLevel> stated);

/// The levels of a machine as JSON. Doubtful levels are written to "unconfirmed". Fields are described in
/// docs/reference/probes.md.
nlohmann::json levels_json(const probes::LevelsFit& fit, std::span<const probes::LevelCurve> curves,
                           std::span<const StatedLevel> stated);

}  // namespace gpuseq::bench
