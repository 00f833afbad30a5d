#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

// Whether a machine still is what its profile says: some points of the profile are measured again and
// compared.

/// How often a point is measured before it counts as one that differs.
inline constexpr int kMostChecks = 8;

/// Which points of a device are worth looking at, by their states' keys: of memory some that are spread over
/// footprints and over curves, of instructions one of some pipes, launches. About a dozen, of so many
/// seconds.
/// @param taken  those that the profile has
std::vector<std::string> points_to_check(std::span<const State> taken, const SuiteConfig& config);

/// How far a point's least time of several looks may be from the profile's, as a share of the smaller.
struct AllowedDifference {
  double slower = 0, faster = 0;  // than the profile says
};

/// How far apart looks at the same are, by a profile's own passes.
struct ProfileNoise {
  double mean = 0;   // by which a pass takes longer than an undisturbed one, as a share of that
  double large = 0;  // what 95 % of passes take longer at most than their point's fastest
};

/// By probe. What disturbs a pass makes it slower, by a share that is spread about exponentially: then the
/// passes of a point lie on average by a (k - 1)-th of their summed distances from the fastest above it. A
/// probe with few passes has a part of all probes' noise. Of a point with one pass the interval of its median
/// says it.
std::map<std::string, ProfileNoise> noise_by_probe(std::span<const results::Record> profile);

/// The fastest of k looks is disturbed by a k-th of the noise; one of n such points is further away than that
/// times log(n / 0.02) in one check of 50. Both sides count: looks now, that a point is not called slower
/// for, and the profile's passes, of which all may have been disturbed. 5 % are allowed at least; half more
/// time at most, because what is slower than that is another machine, and half of the time.
AllowedDifference allowed_difference(const ProfileNoise& noise, std::size_t profile_passes, int looks,
                                     std::size_t points);

/// A point of the profile, and what was found of it now.
struct CheckedPoint {
  std::string state;
  double profile_s = 0, now_s = 0;  // least time of a pass, of a unit of work
  std::string rate_unit;
  AllowedDifference allowed = {};
  int passes = 0;  // that were looked at: none after the first that agrees
  bool agrees = false;
};

struct SpotCheck {
  std::vector<CheckedPoint> points;  // those that have been measured
  bool agrees() const;               // all do, and there are some
  double tolerance() const;          // the most that one of them may be slower
  /// Rates of profile and now, and their difference.
  nlohmann::ordered_json to_json() const;
};

/// Looks are taken until one agrees, up to kMostChecks.
/// @param now  records of the same device; those of a pass are `repetitions` in a row
/// @param states  to be compared, those of them that both have
SpotCheck spot_check(std::span<const results::Record> profile, std::span<const results::Record> now,
                     std::span<const std::string> states, int repetitions);

/// The same of all points that both have, by the looks that there are.
SpotCheck compare_points(std::span<const results::Record> profile, std::span<const results::Record> now,
                         int repetitions);

}  // namespace gpuseq::bench
