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

/// That records state intervals at, where their samples carry it.
inline constexpr double kConfidence = 0.95;

/// Middle of the sorted values; the mean of the two middle ones for an even count.
/// @throws std::invalid_argument if empty or not all finite
double median(std::span<const double> values);

/// Fewer independent values than this carry no interval of 95 %: their range covers the median less often.
inline constexpr std::size_t kFewestSamples = 6;

/// A confidence interval of a median.
struct Interval {
  double low = 0, high = 0;
  double confidence = 0;  // how often such intervals cover the median, at least
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// How many values of a series in time go with one that is independent of the others: the integrated
/// autocorrelation time of the sides of the median that its values lie on, summed over pairs of lags while
/// they are positive and fall (Geyer 1992), the bias of short series taken off. 1 for fewer than ten values,
/// which do not show it; at most half of the values. What changes more slowly than the series is long cannot
/// be seen in it.
/// @throws std::invalid_argument as median() does
double autocorrelation_time(std::span<const double> values);

/// Confidence interval of the median, free of any assumption on the distribution: the narrowest symmetric
/// pair of order statistics whose coverage, an exact binomial sum, reaches `confidence` (David and Nagaraja,
/// Order Statistics, 2003, section 7.1). Values that depend on each other count as fewer: the ranks are those
/// of as many independent ones, stretched over all. Where so few reach the confidence with no pair (fewer
/// than kFewestSamples for 0.95), the range of all with the confidence that it has, 1 - 2^(1 - n). None of
/// one value, with the reason.
/// @param values  in the order in which they were taken
/// @throws std::invalid_argument as median() does, or if confidence is not within (0, 1)
Maybe<Interval> median_interval(std::span<const double> values, double confidence = kConfidence);

/// Puts the median's interval, or why there is none, into statistics that have median and rate.
/// @param samples_s  in the order in which they were taken
void set_interval(Statistics& statistics, std::span<const double> samples_s, const Work& work,
                  double confidence);

/// The only place where a rate is made: work per second from the median and its interval.
/// @param samples_s  in the order in which they were taken
/// @throws std::invalid_argument if there is no sample, or one is not from kLeastSampleS to kMostSampleS, or
/// work is negative
Statistics summarise(std::span<const double> samples_s, const Work& work, double confidence,
                     const std::string& stopped_by);

/// When a sampler has samples enough.
struct StoppingCriterion {
  std::size_t min_samples = 10;  // before an interval may stop it
  std::size_t max_samples = 1000;
  double max_seconds = 5;                       // of wall time, once there are fewest_samples
  double six_samples_seconds = 30;              // of wall time, for those; at least one sample is taken
  std::size_t fewest_samples = kFewestSamples;  // that max_seconds leaves room for
  double relative_interval = 0.02;              // width of the median's interval over the median
  double confidence = kConfidence;

  /// "narrow interval", "sample limit" or "time limit"; nullopt: take another sample.
  std::optional<std::string> decide(std::span<const double> samples_s, double elapsed_s) const;
};

}  // namespace gpuseq::results
