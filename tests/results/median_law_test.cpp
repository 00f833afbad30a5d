#include "results/statistics/median_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gpuseq::results {
namespace {

using Pair = std::pair<int, int>;
using Shares = std::map<Pair, double>;

Pair pair_of(MiddleRanks ranks) {
  return {ranks.lower, ranks.upper};
}

Pair middle_of(std::vector<int> ranks) {
  std::sort(ranks.begin(), ranks.end());
  return {ranks[(ranks.size() - 1) / 2], ranks[ranks.size() / 2]};
}

/// By writing down every resample there is.
Shares by_counting(std::size_t values, std::size_t size) {
  Shares shares;
  std::vector<int> ranks(size, 0);
  const double each = std::pow(static_cast<double>(values), -static_cast<double>(size));
  for (bool more = true; more;) {
    shares[middle_of(ranks)] += each;
    std::size_t digit = 0;
    while (digit < size && ++ranks[digit] == static_cast<int>(values)) ranks[digit++] = 0;
    more = digit < size;
  }
  return shares;
}

TEST(MedianLaw, IsThatOfAllResamplesThereAre) {
  for (const std::size_t values : {1, 2, 3, 5, 7})
    for (const std::size_t size : {1, 2, 3, 4, 5, 6}) {
      Shares found;
      for (const auto& [ranks, probability] : MedianLaw::outcomes(values, size))
        found[pair_of(ranks)] = probability;
      for (const auto& [pair, share] : by_counting(values, size))
        EXPECT_NEAR(found[pair], share, 1e-12)
            << pair.first << " and " << pair.second << ": " << size << " of " << values;
    }
}

TEST(MedianLaw, IsAProbabilityForManyValues) {
  for (const std::size_t values : {1, 30, 255, 256})
    for (const std::size_t size : {1, 2, 29, 30, 256, 257, 5000, 5001}) {
      double all = 0;
      for (const auto& [ranks, probability] : MedianLaw::outcomes(values, size)) {
        EXPECT_LE(ranks.lower, ranks.upper);
        EXPECT_LT(ranks.upper, values);
        all += probability;
      }
      EXPECT_NEAR(all, 1, 1e-9) << size << " of " << values;
    }
  EXPECT_THROW(MedianLaw(0, 1), std::invalid_argument);
  EXPECT_THROW(MedianLaw(1, 0), std::invalid_argument);
  EXPECT_THROW(MedianLaw(MedianLaw::kMostValues + 1, 1), std::invalid_argument);
}

/// Pearson's chi-square over outcomes that are expected at least ten times, in standard deviations from its
/// mean.
double chi_square_z(const Shares& expected, const std::map<Pair, double>& counts, double draws) {
  double chi_square = 0, cells = 0, other = draws, other_expected = draws;
  for (const auto& [pair, share] : expected) {
    if (share * draws < 10) continue;
    const auto found = counts.find(pair);
    const double count = found == counts.end() ? 0 : found->second;
    chi_square += (count - share * draws) * (count - share * draws) / (share * draws);
    other -= count, other_expected -= share * draws;
    ++cells;
  }
  if (other_expected >= 10) {
    chi_square += (other - other_expected) * (other - other_expected) / other_expected;
    ++cells;
  }
  const double freedom = std::max(1.0, cells - 1);
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

TEST(MedianLaw, IsDrawnFromAndIsThatOfResamplesOfManyValues) {
  constexpr int kDraws = 300'000;
  for (const auto& [values, size] : {std::pair<std::size_t, std::size_t>{5, 4},
                                     {9, 9},
                                     {30, 30},
                                     {30, 31},
                                     {31, 30},
                                     {30, 8},
                                     {8, 30},
                                     {100, 40}}) {
    const MedianLaw law(values, size);
    Shares expected;
    for (const auto& [ranks, probability] : MedianLaw::outcomes(values, size))
      expected[pair_of(ranks)] = probability;
    std::map<Pair, double> drawn, resampled;
    Random random(7), other(8);
    std::vector<int> ranks(size);
    for (int i = 0; i < kDraws; ++i) {
      ++drawn[pair_of(law(random))];
      for (int& rank : ranks) rank = static_cast<int>(other.below(values));
      ++resampled[middle_of(ranks)];
    }
    EXPECT_LT(std::abs(chi_square_z(expected, drawn, kDraws)), 4) << size << " of " << values;
    EXPECT_LT(std::abs(chi_square_z(expected, resampled, kDraws)), 4) << size << " of " << values;
  }
}

}  // namespace
}  // namespace gpuseq::results
