#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "probes/footprints.hpp"

// One model of a device's memory levels that explains all its curves together. A level of capacity c serves
// min(1, c / footprint) of the uniform random accesses that reach it; the rest goes to the next level, so
// that the time of an access is
//
//   time(f) = max( base + sum over levels of added * missed(f), cost * (1 - reach / f) )
//
// where `added` is the additional time of an access that a level does not serve, different for every curve,
// and capacities are common to all curves. The second part is address translation with many concurrent
// accesses: a page walk costs the same for every block size and overlaps with memory accesses.

namespace gpuseq::probes {

/// The order in which a probe accesses its blocks, which determines the blocks that a level keeps.
enum class AccessOrder {
  random,  // uniformly drawn: a level keeps as many blocks as fit
  cycle,   // cyclic: a level that is exceeded keeps few or no blocks
};

/// One curve of a device: time of an access over footprint.
struct LevelCurve {
  std::string name;  // identifies the curve in evidence
  AccessOrder order = AccessOrder::random;
  bool one_at_a_time = false;      // each access waits for the last one: a latency
  double block_bytes = 0;          // bytes per access
  std::vector<CurvePoint> points;  // nanoseconds per access of the whole device; footprints rise
};

/// Share of accesses that a level misses, over footprint.
enum class Misses {
  evenly,   // 1 - capacity / footprint
  octave,   // from none to all within an octave around the capacity
  at_once,  // within a quarter of an octave around it
};

enum class LevelKind {
  cache,        // costs grow with the block's size, or no two curves could show it
  translation,  // TLB reach: costs are per access, not per byte
};

/// The evidence for a level from one curve.
struct LevelEvidence {
  std::size_t curve = 0;
  Misses misses = Misses::evenly;
  double before_ns = 0;  // an access that this or a nearer level serves
  double after_ns = 0;   // an access that this level does not serve
  double weight = 0;     // loss of the criterion on this curve without the level
};

/// Octaves: a level with a wider interval is uncertain.
inline constexpr double kWideInterval = 2;

struct MemoryLevel {
  LevelKind kind = LevelKind::cache;
  double capacity_bytes = 0;
  double low_bytes = 0, high_bytes = 0;      // 95 % interval, from the profile of the criterion and the
                                             // differences of curves
  double shows_from_bytes = 0;               // the least footprint at which it slows a curve down
  bool uncertain = false;                    // only one curve shows it, or its interval spans two octaves
  double found_in = 1;                       // share of resampled fits with this level; see resampled.hpp
  std::vector<LevelEvidence> evidence = {};  // from each curve that shows it
};

/// A slow rise over many octaves that is not the end of a level.
struct GradualRise {
  double from_bytes = 0, to_bytes = 0;
  double most_relative = 0;              // relative to the time at from_bytes, on the curve
                                         // with the largest rise
  std::vector<std::size_t> curves = {};  // curves that show it
};

/// A curve in the model.
struct ExplainedCurve {
  struct Term {
    double at = 0, width = 0;  // log2 bytes; a width above 0 is a gradual rise
    Misses misses = Misses::evenly;
    double added_ns = 0;
  };
  double norm = 1;  // see LevelOptions
  double base_ns = 0;
  std::vector<Term> terms = {};
  double cost_ns = 0, reach_bytes = 0;  // TLB limit in parallel to memory; 0: none
  double relative_error = 0;            // root of the mean square of the residuals
  double time_at(double footprint_bytes) const;
};

struct LevelsFit {
  std::vector<MemoryLevel> levels = {};  // sorted by capacity
  std::vector<GradualRise> rises = {};
  std::vector<ExplainedCurve> curves;  // in the order of the input
  double criterion = 0;                // less is better
};

struct LevelOptions {
  /// Exponent that combines the times of levels: 1 adds them, a large one takes the longest. Values other
  /// than 1 are for comparison.
  double norm = 1;
  double min_relative_change = 0.08;  // a curve does not show smaller changes
  bool with_translation = true;       // look for a TLB limit in parallel to memory
};

/// Explains the curves of one device. Pure: same input, same output. Ignores curves with
/// fewer than five points.
/// @throws UsageError on footprints that do not rise or times that are not positive and finite
LevelsFit fit_levels(std::span<const LevelCurve> curves, const LevelOptions& options = {});

}  // namespace gpuseq::probes
