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

// Checks whether a machine still matches its profile: some points are measured again and compared.

/// Passes of a point that must all differ before the point counts as different.
inline constexpr int kMostChecks = 8;

/// The points of a device to measure again, as keys of states: for memory some that are spread over
/// footprints and curves, for instructions one operation of some pipes, and launches. About a dozen points,
/// which take about as many seconds.
/// @param taken  states in the profile
std::vector<std::string> points_to_check(std::span<const State> taken, const SuiteConfig& config);

/// Allowed distance of a point's least time over several passes from the profile's, as a share of the
/// smaller.
struct AllowedDifference {
  double slower = 0, faster = 0;  // compared with the profile
};

/// Noise of repeated passes, estimated from a profile's own passes.
struct ProfileNoise {
  double mean = 0;   // relative excess of a pass over an undisturbed one
  double large = 0;  // 95th percentile of the excess over the point's fastest pass
};

/// Noise by probe. Disturbance makes passes slower, by a share with about an exponential distribution. So the
/// mean excess of k passes of a point is a (k - 1)-th of their summed excess over its fastest pass. A probe
/// with few passes takes a part of all probes' noise. For a point with one pass, the interval of its median
/// is used.
std::map<std::string, ProfileNoise> noise_by_probe(std::span<const results::Record> profile);

/// The fastest of k passes has a k-th of the noise. In one of 50 checks, one of n such points exceeds this
/// noise times log(n / 0.02). Both sides count: the new passes, so that noise does not make a point slower,
/// and the profile's passes, of which all may have been disturbed. The allowed difference is at least 5 %,
/// and at most 50 % more time, because anything slower is another machine, or half of the time.
AllowedDifference allowed_difference(const ProfileNoise& noise, std::size_t profile_passes, int looks,
                                     std::size_t points);

/// A point of the profile, and its new measurement.
struct CheckedPoint {
  std::string state;
  double profile_s = 0, now_s = 0;  // least time of a pass, per unit of work
  std::string rate_unit;
  AllowedDifference allowed = {};
  int passes = 0;  // compared passes: up to the first that agrees
  bool agrees = false;
};

struct SpotCheck {
  std::vector<CheckedPoint> points;  // measured points
  bool agrees() const;               // there are points, and all agree
  double tolerance() const;          // the largest allowed slowdown of a point
  /// Rates of the profile and of the new passes, and their difference.
  nlohmann::ordered_json to_json() const;
};

/// Passes are compared until one agrees, up to kMostChecks.
/// @param now  records of the same device; each pass is `repetitions` consecutive records
/// @param states  to compare, if both have them
SpotCheck spot_check(std::span<const results::Record> profile, std::span<const results::Record> now,
                     std::span<const std::string> states, int repetitions);

/// Compares all points that both have, over all passes measured so far.
SpotCheck compare_points(std::span<const results::Record> profile, std::span<const results::Record> now,
                         int repetitions);

}  // namespace gpuseq::bench
