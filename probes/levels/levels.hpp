#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "probes/footprints.hpp"

// One model of a device's memory levels that explains all its curves together. A level of capacity c serves
// min(1, c / footprint) of the uniform random accesses that come to it; the rest goes on, so the time of an
// access is
//
//   time(f) = max( base + sum over levels of added * missed(f), cost * (1 - reach / f) )
//
// where `added` is what an access takes longer that a level does not serve, different for every curve, and
// capacities are the same for all. The second part is address translation where many accesses are on their
// way: a page walk costs the same whatever the block's size, and goes on beside what memory does.

namespace gpuseq::probes {

/// In what order a probe comes to its blocks, which decides what of them a level keeps.
enum class AccessOrder {
  random,  // each uniformly drawn: a level keeps what fits
  cycle,   // all in turn: a level that is exceeded keeps little or nothing
};

/// One curve of a device: time of an access over footprint.
struct LevelCurve {
  std::string name;  // says in evidence which curve it was
  AccessOrder order = AccessOrder::random;
  bool one_at_a_time = false;      // each access waits for the last one: a latency
  double block_bytes = 0;          // of an access
  std::vector<CurvePoint> points;  // nanoseconds an access of the whole device; footprints rise
};

/// What of the accesses a level misses over footprint.
enum class Misses {
  evenly,   // 1 - capacity / footprint
  octave,   // from none to all within an octave around the capacity
  at_once,  // within a quarter of an octave around it
};

enum class LevelKind {
  cache,        // costs grow with the block's size, or no two curves could tell
  translation,  // the reach of address translation: costs are by access, not by byte
};

/// How one curve shows a level.
struct LevelEvidence {
  std::size_t curve = 0;
  Misses misses = Misses::evenly;
  double before_ns = 0;  // an access that this level, or a nearer one, serves
  double after_ns = 0;   // one that it does not serve
  double weight = 0;     // by how much the criterion is worse without it on this curve
};

/// Octaves: a level whose interval is wider is uncertain.
inline constexpr double kWideInterval = 2;

struct MemoryLevel {
  LevelKind kind = LevelKind::cache;
  double capacity_bytes = 0;
  double low_bytes = 0, high_bytes = 0;  // 95 % interval: profile of the criterion, and how far curves differ
  double shows_from_bytes = 0;           // the least footprint at which a curve is slower for it
  bool uncertain = false;                // only one curve shows it, or its interval spans two octaves
  double found_in = 1;                   // share of resampled fits that have it; see resampled.hpp
  std::vector<LevelEvidence> evidence = {};  // of the curves that show it, each on its own
};

/// A slow rise over many octaves that is no level's end.
struct GradualRise {
  double from_bytes = 0, to_bytes = 0;
  double most_relative = 0;              // of the time at from_bytes, on the curve where it is most
  std::vector<std::size_t> curves = {};  // that show it
};

/// A curve as the model has it.
struct ExplainedCurve {
  struct Term {
    double at = 0, width = 0;  // log2 bytes; a width above 0 is a gradual rise
    Misses misses = Misses::evenly;
    double added_ns = 0;
  };
  double norm = 1;  // as in LevelOptions
  double base_ns = 0;
  std::vector<Term> terms = {};
  double cost_ns = 0, reach_bytes = 0;  // of translation beside memory; 0: none
  double relative_error = 0;            // root of the mean square of the residuals
  double time_at(double footprint_bytes) const;
};

struct LevelsFit {
  std::vector<MemoryLevel> levels = {};  // by capacity
  std::vector<GradualRise> rises = {};
  std::vector<ExplainedCurve> curves;  // as given
  double criterion = 0;                // less is better
};

struct LevelOptions {
  /// Exponent that combines the times of levels: 1 adds them, a large one takes the longest. For comparison
  /// with 1.
  double norm = 1;
  double min_relative_change = 0.08;  // less than that is not shown by a curve
  bool with_translation = true;       // look for translation beside memory
};

/// Explains the curves of one device. Pure: same input, same output. Curves of fewer than five points are not
/// used.
/// @throws UsageError on footprints that do not rise or times that are not positive and finite
LevelsFit fit_levels(std::span<const LevelCurve> curves, const LevelOptions& options = {});

}  // namespace gpuseq::probes
