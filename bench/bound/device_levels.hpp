#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/bound/curves.hpp"
#include "probes/levels/levels.hpp"

namespace gpuseq::bench {

/// The curves of a device in the form that levels are found in: random accesses and latencies. Sequential
/// curves are left out: prefetchers and streams make them obey other laws. Every thread, or multiprocessor,
/// comes to the whole footprint, so that a private cache shows at its own size whatever their number, and
/// curves of one thread and of all go together. Curves on other pages than transparent huge ones are left out
/// where there are some of these.
std::vector<probes::LevelCurve> level_curves(std::span<const Curve> curves, const std::string& device);

/// A size that a name is known for.
struct StatedLevel {
  std::string name;  // "L1", "L2 near", "L2", "L3"
  double bytes = 0;
  /// What names it. But for kByStatement it gives a name to a level that is as large, and states no size.
  std::string by = kByStatement;

  static constexpr const char* kByStatement = "stated size";
  static constexpr const char* kBySharedMemory = "shared memory";
};

/// What a device's description says. Nearest first. "L2 near" is half of the L2 of a GPU: the part beside
/// those multiprocessors that ask. The L1 of a GPU is one memory with shared memory, of which a
/// multiprocessor may have all but a few KiB: no size is stated, but such a level is known by the most that
/// shared memory takes.
std::vector<StatedLevel> stated_levels(const nlohmann::json& description);

/// A measured level, and what it is called.
struct NamedLevel {
  std::string name;  // as stated, "TLB", or "level N" counted from the nearest
  probes::MemoryLevel measured;
  std::optional<double> stated_bytes;
  std::string named_by = {};  // StatedLevel::by; empty without such a size
};

/// Why a level that nothing names is none: one curve alone shows it, most resampled fits do without it, or
/// accesses that wait for each other take as long on both its sides. What the next level serves takes longer
/// to come, so that rates alone change where something else does: what passes requests on, or merges them.
std::string doubt_of(const NamedLevel& level, std::span<const probes::LevelCurve> curves);

/// Each level has the name of the stated size that is nearest to it, no further than a quarter or within its
/// interval, and each name is given once, to a certain level before an uncertain one. A level of more than
/// eight times the largest cache that is stated is one of translation, whatever its costs look like.
std::vector<NamedLevel> name_levels(std::span<const probes::MemoryLevel> levels,
                                    std::span<const StatedLevel> stated);

/// What a machine's levels are, as JSON. One that is in doubt is written to "unconfirmed". Fields are
/// described in probes/README.md.
nlohmann::json levels_json(const probes::LevelsFit& fit, std::span<const probes::LevelCurve> curves,
                           std::span<const StatedLevel> stated);

}  // namespace gpuseq::bench
