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

/// Mean of the logarithms, as a value: by it, races choose. @throws std::invalid_argument if there is no
/// value, or one is not above 0
double geometric_mean(std::span<const double> values);

/// The rate of all records of one case together: the geometric mean of their rates, so that each round counts
/// alike. One record has the interval of its samples. From three on, the interval is Student's t of the
/// logarithms. The interval of two rounds reaches over both of theirs: it has their confidence where they
/// overlap, else that of the range of two values, 50 %.
/// @throws std::invalid_argument if there is no record, or one has no rate above 0
CaseRate case_rate(std::span<const Record* const> records);

}  // namespace gpuseq::results
