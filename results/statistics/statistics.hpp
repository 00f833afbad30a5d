#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::results {

/// What a launch can take: no clock resolves less than a picosecond, and with less a rate is no number; no
/// run takes thirty years.
inline constexpr double kLeastSampleS = 1e-12, kMostSampleS = 1e9;

/// Middle of the sorted values; the mean of the two middle ones for an even count.
/// @throws std::invalid_argument if empty or not all finite
double median(std::span<const double> values);

struct Interval {
  double low = 0, high = 0;
};

/// Confidence interval of the median, free of any assumption on the distribution: the narrowest symmetric
/// pair of order statistics whose coverage, an exact binomial sum, reaches `confidence` (David and Nagaraja,
/// Order Statistics, 2003, section 7.1). Where so few values reach it with no pair (fewer than 6 for 0.95),
/// the percentile bootstrap of the median, seeded; for one or two values their range.
/// @throws std::invalid_argument as median() does, or if confidence is not within (0, 1)
Interval median_interval(std::span<const double> values, double confidence = 0.95, std::uint64_t seed = 1);

/// The only place where a rate is made: work per second from the median and its interval.
/// @throws std::invalid_argument if there is no sample, or one is not from kLeastSampleS to kMostSampleS, or
/// work is negative
Statistics summarise(std::span<const double> samples_s, const Work& work, double confidence,
                     const std::string& stopped_by);

/// When a sampler has samples enough.
struct StoppingCriterion {
  std::size_t min_samples = 10;  // before an interval may stop it
  std::size_t max_samples = 1000;
  double max_seconds = 5;           // of wall time, whatever the samples; at least one sample is taken
  double relative_interval = 0.02;  // width of the median's interval over the median
  double confidence = 0.95;

  /// "narrow interval", "sample limit" or "time limit"; nullopt: take another sample.
  std::optional<std::string> decide(std::span<const double> samples_s, double elapsed_s) const;
};

}  // namespace gpuseq::results
