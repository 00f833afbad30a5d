#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::results {

/// Allowed times of a launch: no clock resolves less than a picosecond, shorter times give no finite rate,
/// and no run takes thirty years.
inline constexpr double kLeastSampleS = 1e-12, kMostSampleS = 1e9;

/// Confidence of reported intervals, if there are enough samples.
inline constexpr double kConfidence = 0.95;

/// Middle of the sorted values; the mean of the two middle ones for an even count.
/// @throws std::invalid_argument if empty or not all finite
double median(std::span<const double> values);

/// Independent values needed for an interval of 95 %: the range of fewer values covers the median less often.
inline constexpr std::size_t kFewestSamples = 6;

/// A confidence interval of a median.
struct Interval {
  double low = 0, high = 0;
  double confidence = 0;  // probability that such intervals cover the median, at least
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Values of a time series per independent value: the integrated autocorrelation time of the signs about the
/// median, summed over pairs of lags while they are positive and fall (Geyer 1992), corrected for the bias of
/// short series. It is 1 for fewer than ten values, which do not show it, and at most half of the number of
/// values. Changes slower than the length of the series are not detected.
/// @throws std::invalid_argument as median() does
double autocorrelation_time(std::span<const double> values);

/// Confidence interval of the median without assumptions on the distribution: the narrowest symmetric pair of
/// order statistics whose coverage, an exact binomial sum, reaches `confidence` (David and Nagaraja, Order
/// Statistics, 2003, section 7.1). Correlated values count as fewer: the ranks are those of the number of
/// independent values, scaled to all values. If no pair of so few reaches the confidence (fewer than
/// kFewestSamples for 0.95), the interval is the range of all with its confidence, 1 - 2^(1 - n). A single
/// value has no interval, with the reason.
/// @param values  in the order in which they were taken
/// @throws std::invalid_argument as median() does, or if confidence is not within (0, 1)
Maybe<Interval> median_interval(std::span<const double> values, double confidence = kConfidence);

/// Sets the median's interval, or why there is none, in statistics that have median and rate.
/// @param samples_s  in the order in which they were taken
void set_interval(Statistics& statistics, std::span<const double> samples_s, const Work& work,
                  double confidence);

/// The only place that computes rates: work per second from the median and its interval.
/// @param samples_s  in the order in which they were taken
/// @throws std::invalid_argument if there is no sample, if a sample is not from kLeastSampleS to
/// kMostSampleS, or if work is negative
Statistics summarise(std::span<const double> samples_s, const Work& work, double confidence,
                     const std::string& stopped_by);

/// When a sampler has enough samples.
struct StoppingCriterion {
  std::size_t min_samples = 10;  // before a narrow interval may stop it
  std::size_t max_samples = 1000;
  double max_seconds = 5;                       // wall time, once there are fewest_samples
  double six_samples_seconds = 30;              // wall time for these; at least one sample is taken
  std::size_t fewest_samples = kFewestSamples;  // taken even beyond max_seconds
  double relative_interval = 0.02;              // width of the median's interval over the median
  double confidence = kConfidence;

  /// "narrow interval", "sample limit" or "time limit"; nullopt: take another sample.
  std::optional<std::string> decide(std::span<const double> samples_s, double elapsed_s) const;
};

}  // namespace gpuseq::results
