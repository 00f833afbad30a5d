#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "results/record.hpp"

/// The rate of a benchmark case that was measured several times: in the rounds of a race, or in repetitions.
namespace gpuseq::results {

/// A rate over all rounds, with its confidence interval. The interval contains the rate.
struct CaseRate {
  double rate = 0;  // work per second
  std::optional<double> low = {}, high = {}, confidence = {};
  std::string interval_reason = {};  // why there is no interval
  std::size_t rounds = 0, samples = 0;
  std::string unit = {};  // "query bases/s"
};

/// Exponential of the mean logarithm; races rank by it. @throws std::invalid_argument if there is no value,
/// or if a value is not above 0
double geometric_mean(std::span<const double> values);

/// The rate of all records of one case: the geometric mean of their rates, so that each round has the same
/// weight. For one record, the interval is that of its samples. For two, it spans both intervals: it has
/// their confidence if they overlap, else that of the range of two values, 50 %. For three or more, it is
/// Student's t of the logarithms.
/// @throws std::invalid_argument if there is no record, or if a record has no rate above 0
CaseRate case_rate(std::span<const Record* const> records);

}  // namespace gpuseq::results
