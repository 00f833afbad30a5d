#include "results/statistics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "runtime/system/random.hpp"

namespace gpuseq::results {

namespace {

constexpr int kIntervalResamples = 2000;

std::vector<double> sorted(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("statistics of no values");
  for (const double value : values)
    if (!std::isfinite(value))
      throw std::invalid_argument(fmt::format("statistics of a value that is {}", value));
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

double median_of_sorted(std::span<const double> values) {
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : values[half - 1] + (values[half] - values[half - 1]) / 2;
}

/// The largest r >= 1 such that the interval from the r-th smallest to the r-th largest of n values covers
/// the median with the confidence, that is 2 P(Binomial(n, 1/2) < r) <= 1 - confidence; 0 if there is none.
std::size_t rank_of_interval(std::size_t n, double confidence) {
  const double log_total = static_cast<double>(n) * std::log(2.0);
  const double log_n_factorial = std::lgamma(static_cast<double>(n) + 1);
  double outside = 0;
  for (std::size_t r = 0; r <= n / 2; ++r) {
    const double k = static_cast<double>(r);
    outside += 2 * std::exp(log_n_factorial - std::lgamma(k + 1) -
                            std::lgamma(static_cast<double>(n) - k + 1) - log_total);
    if (outside > 1 - confidence) return r;
  }
  return n / 2;
}

Interval bootstrap(std::span<const double> values, double confidence, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> medians, resample(values.size());
  for (int i = 0; i < kIntervalResamples; ++i) {
    for (double& value : resample) value = values[random.below(values.size())];
    std::sort(resample.begin(), resample.end());
    medians.push_back(median_of_sorted(resample));
  }
  std::sort(medians.begin(), medians.end());
  const double tail = (1 - confidence) / 2 * kIntervalResamples;
  const auto low = static_cast<std::size_t>(tail);
  return {medians[low], medians[medians.size() - 1 - low]};
}

double variance(std::span<const double> values, double mean) {
  if (values.size() < 2) return 0;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

}  // namespace

double median(std::span<const double> values) {
  return median_of_sorted(sorted(values));
}

Interval median_interval(std::span<const double> values, double confidence, std::uint64_t seed) {
  if (!(confidence > 0 && confidence < 1))
    throw std::invalid_argument(fmt::format("confidence is {}, allowed: between 0 and 1", confidence));
  const std::vector<double> ordered = sorted(values);
  if (ordered.size() <= 2) return {ordered.front(), ordered.back()};
  const std::size_t rank = rank_of_interval(ordered.size(), confidence);
  if (rank == 0) return bootstrap(ordered, confidence, seed);
  return {ordered[rank - 1], ordered[ordered.size() - rank]};
}

Statistics summarise(std::span<const double> samples_s, const Work& work, double confidence,
                     const std::string& stopped_by) {
  const std::vector<double> ordered = sorted(samples_s);
  if (ordered.front() < kLeastSampleS || ordered.back() > kMostSampleS)
    throw std::invalid_argument(fmt::format(
        "a sample is {} s; no launch takes less than {} s or more than {} s",
        ordered.front() < kLeastSampleS ? ordered.front() : ordered.back(), kLeastSampleS, kMostSampleS));
  if (!(work.amount >= 0) || !std::isfinite(work.amount))
    throw std::invalid_argument(fmt::format("work is {} {}", work.amount, work.unit));
  const Interval interval = median_interval(ordered, confidence);
  const double middle = median_of_sorted(ordered);
  const double mean =
      std::accumulate(ordered.begin(), ordered.end(), 0.0) / static_cast<double>(ordered.size());
  return {.samples = ordered.size(),
          .median_s = middle,
          .low_s = interval.low,
          .high_s = interval.high,
          .confidence = confidence,
          .min_s = ordered.front(),
          .max_s = ordered.back(),
          .mean_s = mean,
          .stddev_s = std::sqrt(variance(ordered, mean)),
          .rate = work.amount / middle,
          .rate_low = work.amount / interval.high,
          .rate_high = work.amount / interval.low,
          .rate_unit = work.unit + "/s",
          .stopped_by = stopped_by};
}

std::optional<std::string> StoppingCriterion::decide(std::span<const double> samples_s,
                                                     double elapsed_s) const {
  if (samples_s.empty()) return std::nullopt;
  if (samples_s.size() >= std::max<std::size_t>(min_samples, 3)) {
    const Interval interval = median_interval(samples_s, confidence);
    if (interval.high - interval.low <= relative_interval * median(samples_s)) return "narrow interval";
  }
  if (samples_s.size() >= max_samples) return "sample limit";
  if (elapsed_s >= max_seconds) return "time limit";
  return std::nullopt;
}

}  // namespace gpuseq::results
