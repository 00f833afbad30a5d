#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/statistics/statistics.hpp"

/// Is one set of timings slower than another? Everything here is free of any assumption on the shape of the
/// distributions, seeded, and a pure function: the tables that calls can share save time only.
namespace gpuseq::results {

class InferenceTables;

/// Fewer values than this on a side say nothing about its spread.
inline constexpr std::size_t kFewestValues = 4;

/// Ratio of medians, other over base, with its percentile bootstrap interval: both sides are resampled (Efron
/// and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13).
struct RatioInterval {
  double ratio = 1, low = 1, high = 1;
};
/// @throws std::invalid_argument if a side is empty, a value is not positive and finite, or confidence is not
/// within (0, 1)
RatioInterval ratio_of_medians(std::span<const double> base, std::span<const double> other, double confidence,
                               std::uint64_t seed, InferenceTables* tables = nullptr);

/// Two-sided p value of the Mann-Whitney U test. Exact, by counting, without ties and with at most 400 pairs
/// of values (Mann and Whitney 1947); else the normal approximation with corrections for ties and continuity.
/// 1 if all values are equal. @throws std::invalid_argument as median() does
double mann_whitney_p(std::span<const double> a, std::span<const double> b,
                      InferenceTables* tables = nullptr);

/// Smallest p value that mann_whitney_p() can give for these sizes without ties: 2 / C(a + b, a).
double least_mann_whitney_p(std::size_t a, std::size_t b);

/// q values in the order of the p values: the smallest false discovery rate at which each is still found
/// (Benjamini and Hochberg 1995).
std::vector<double> false_discovery_rates(std::span<const double> p_values);

/// What one set of values shows against itself.
enum class Order {
  exchangeable,  // values of processes that were interleaved with the other side's
  in_time,       // values of one process: drift is a part of their noise, and resampling does not see it
};

/// Noise floor: the relative difference of medians that `base` shows against itself (A/A) - the quantile at
/// `confidence` of |log ratio| over pairs of resamples with as many values as the sides have. For values in
/// time at least the difference between the first half and the second. nullopt with fewer than kFewestValues.
/// @throws std::invalid_argument as ratio_of_medians() does, or if other_size is 0
std::optional<double> noise_floor(std::span<const double> base, std::size_t other_size, Order order,
                                  double confidence, std::uint64_t seed, InferenceTables* tables = nullptr);

}  // namespace gpuseq::results
