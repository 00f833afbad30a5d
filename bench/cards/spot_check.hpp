#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

// Whether a machine still is what its card says: some points of the card are measured again and compared.

/// How often a point is measured before it counts as one that differs.
inline constexpr int kMostChecks = 3;

/// Which points of a device are worth looking at, by their states' keys: of memory some that are spread over
/// footprints and over curves, of instructions one of some pipes, launches. About a dozen, of so many
/// seconds.
/// @param taken  those that the card has
std::vector<std::string> points_to_check(std::span<const State> taken, const SuiteConfig& config);

/// A point of the card, and what was found of it now.
struct CheckedPoint {
  std::string state;
  double card_s = 0, now_s = 0;  // least time of a pass, of a unit of work
  std::string rate_unit;
  int passes = 0;  // that were looked at: none after the first that agrees
  bool agrees = false;
};

struct SpotCheck {
  double tolerance = 0;              // relative, of times
  std::vector<CheckedPoint> points;  // those that have been measured
  bool agrees() const;               // all do, and there are some
  /// Rates of card and now, and their difference.
  nlohmann::ordered_json to_json() const;
};

/// How far a point may be from the card's. A card's own passes say how far apart two of them are that saw the
/// same: the gap between a point's two fastest is spread about exponentially, with a median m over the points
/// (of points with one pass a third of the interval's half width, which is what the median difference of two
/// such medians is). One of n points is further away than m log2(n / 0.002) in one of 500 checks; m is known
/// of few points only, which in simulations makes that up to 8 of 1000. So much is allowed, at least 5 % and
/// at most 25 %: a card that cannot tell a quarter is renewed more often.
double tolerance_of_check(std::span<const results::Record> card, std::size_t points);

/// @param now  records of the same device; those of a pass are `repetitions` in a row
/// @param states  to be compared, those of them that both have
SpotCheck spot_check(std::span<const results::Record> card, std::span<const results::Record> now,
                     std::span<const std::string> states, int repetitions);

/// The same of all points that both have.
SpotCheck compare_points(std::span<const results::Record> card, std::span<const results::Record> now,
                         int repetitions);

}  // namespace gpuseq::bench
