#include <fmt/format.h>

#include <cmath>

#include "kernels/pairwise_distance/problem.hpp"
#include "kernels/pairwise_distance/problem_state.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Compares a matrix with the oracle and stores the first difference.
class Comparison {
 public:
  Comparison(const DistanceProblem& problem, const Distances& found)
      : problem_(problem), instances_(problem.instances()), found_(found) {}

  bool passed() const { return reason_.empty(); }
  Verification result() const { return {.passed = passed(), .checked = checked_, .reason = reason_}; }

  void check_shape() {
    const u64 pairs = instances_.count * instances_.count;
    const auto expect = [&](bool holds, std::string_view what, u64 number) {
      if (!holds && passed()) reason_ = fmt::format("{} {} of {} pairs", number, what, pairs);
    };
    expect(found_.count == instances_.count && found_.sum.size() == pairs, "distances", found_.sum.size());
    const bool none_needed = !instances_.has_missing() && found_.compared.empty();
    expect(none_needed || found_.compared.size() == pairs, "numbers of attributes compared",
           found_.compared.size());
  }

  /// Checks a pair in both orders: the matrix is symmetric at checked pairs.
  void check_pair(u64 a, u64 b, const PairDistance& expected) {
    check_entry(a, b, expected);
    if (a != b) check_entry(b, a, expected);
    ++checked_;
  }

  /// Checks that the rest is symmetric, too: a half that was computed twice or not at all
  /// differs from the other.
  void check_symmetry() {
    constexpr u64 kTile = 64;  // both sides of a tile stay in the cache
    for (u64 row = 0; row < found_.count && passed(); row += kTile)
      for (u64 column = 0; column <= row; column += kTile) check_tile(row, column, kTile);
  }

 private:
  PairDistance at(u64 a, u64 b) const {
    const u64 i = a * found_.count + b;
    const auto all = static_cast<u32>(instances_.attributes);
    return {.sum = found_.sum[i], .compared = found_.compared.empty() ? all : found_.compared[i], .real = 0};
  }

  std::string pair_name(u64 a, u64 b) const {
    return fmt::format("{}, instances {} ({}) and {} ({})", kMetricNames[static_cast<u32>(problem_.metric())],
                       a + 1, instances_.names[a], b + 1, instances_.names[b]);
  }

  void check_entry(u64 a, u64 b, const PairDistance& expected) {
    const PairDistance entry = at(a, b);
    if (!passed()) return;
    if (is_real(problem_.metric())) return check_real(a, b, entry, expected);
    if (entry == expected) return;
    reason_ = entry.sum != expected.sum ? fmt::format("{}: expected the distance {}, found {}",
                                                      pair_name(a, b), expected.sum, entry.sum)
                                        : fmt::format("{}: expected {} attributes compared, found {}",
                                                      pair_name(a, b), expected.compared, entry.compared);
  }

  void check_real(u64 a, u64 b, const PairDistance& entry, const PairDistance& expected) {
    const double found = found_.real_at(a, b), allowed = euclidean_error(expected.compared, expected.real);
    if (!(std::abs(found - expected.real) <= allowed))
      reason_ = fmt::format("{}: expected the distance {} within {:.3g}, found {}", pair_name(a, b),
                            expected.real, allowed, found);
    else if (entry.compared != expected.compared)
      reason_ = fmt::format("{}: expected {} attributes compared, found {}", pair_name(a, b),
                            expected.compared, entry.compared);
  }

  void check_tile(u64 first_row, u64 first_column, u64 tile) {
    for (u64 a = first_row; a < std::min(first_row + tile, found_.count); ++a)
      for (u64 b = first_column; b < std::min(first_column + tile, a); ++b)
        if (const PairDistance below = at(a, b), above = at(b, a); !(below == above) && passed())
          reason_ = fmt::format("{}: found the distance {} ({} compared), the other way round {} ({})",
                                pair_name(a, b), below.sum, below.compared, above.sum, above.compared);
  }

  const DistanceProblem& problem_;
  const Instances& instances_;
  const Distances& found_;
  u64 checked_ = 0;
  std::string reason_;
};

}  // namespace

Work DistanceSession::work() const {
  return work_of(known_data(problem_.instances(), problem_.metric()));
}

Verification DistanceSession::verify() {
  const Distances& found = distances();
  const CheckedDistances& checked = problem_.state().make_checked();
  const u64 count = problem_.instances().count;
  const auto all = static_cast<u32>(problem_.instances().attributes);
  Comparison comparison(problem_, found);
  comparison.check_shape();
  for (u64 i = 0; i < checked.sums.size() && comparison.passed(); ++i)
    comparison.check_pair(checked.rows[i / count], i % count,
                          {.sum = checked.sums[i],
                           .compared = checked.compared.empty() ? all : checked.compared[i],
                           .real = checked.reals.empty() ? 0 : checked.reals[i]});
  for (u64 i = 0; i < checked.pairs.size() && comparison.passed(); ++i)
    comparison.check_pair(checked.pairs[i].first, checked.pairs[i].second, checked.of_pairs[i]);
  if (comparison.passed()) comparison.check_symmetry();
  return comparison.result();
}

void DistanceSession::each_band(const TakeBand& take) {
  const Distances& all = distances();
  take({.first = 0, .rows = all.count, .count = all.count, .sum = all.sum, .compared = all.compared});
}

nlohmann::json DistanceSession::facts() const {
  const Instances& instances = problem_.instances();
  return {{"metric", kMetricNames[static_cast<u32>(problem_.metric())]},
          {"instance_count", instances.count},
          {"attribute_count", instances.attributes},
          {"alphabet", instances.alphabet},
          {"missing_values", instances.missing_values()},
          {"comparisons", problem_.comparisons()}};
}

std::vector<std::string> DistanceSession::notes() const {
  return problem_.notes();
}

}  // namespace gpuseq::pairwise_distance
