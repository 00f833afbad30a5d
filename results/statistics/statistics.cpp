#include "results/statistics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace gpuseq::results {

namespace {

/// Shorter series do not show whether their values are correlated.
constexpr std::size_t kFewestInTime = 10;

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

/// Autocorrelations of a series' signs about the median, by lag.
class SideCorrelations {
 public:
  explicit SideCorrelations(std::span<const double> values) {
    const double middle = median(values);
    for (const double value : values) sides_.push_back((value > middle) - (value < middle));
    const double mean =
        std::accumulate(sides_.begin(), sides_.end(), 0.0) / static_cast<double>(sides_.size());
    for (double& side : sides_) side -= mean;
    variance_ = products(0);
  }

  bool constant() const { return !(variance_ > 0); }
  double at(std::size_t lag) {
    while (correlations_.size() <= lag) correlations_.push_back(products(correlations_.size()) / variance_);
    return correlations_[lag];
  }

 private:
  double products(std::size_t lag) const {
    double sum = 0;
    for (std::size_t i = lag; i < sides_.size(); ++i) sum += sides_[i] * sides_[i - lag];
    return sum;
  }

  std::vector<double> sides_, correlations_;
  double variance_ = 0;
};

double variance(std::span<const double> values, double mean) {
  if (values.size() < 2) return 0;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

Maybe<Interval> interval_of(std::span<const double> values, double autocorrelation_time, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw std::invalid_argument(fmt::format("confidence is {}, allowed: between 0 and 1", confidence));
  const std::vector<double> ordered = sorted(values);
  const std::size_t count = ordered.size();
  if (count == 1) return {std::nullopt, "one sample has no interval"};
  const double independent = static_cast<double>(count) / autocorrelation_time;
  const auto as_many = static_cast<std::size_t>(independent);
  const std::size_t rank = rank_of_interval(as_many, confidence);
  if (rank == 0)
    return {Interval{ordered.front(), ordered.back(), std::min(confidence, 1 - std::exp2(1 - independent))},
            {}};
  const std::size_t stretched = std::max<std::size_t>(rank * (count + 1) / (as_many + 1), 1);
  return {Interval{ordered[stretched - 1], ordered[count - stretched], confidence}, {}};
}

}  // namespace

double median(std::span<const double> values) {
  return median_of_sorted(sorted(values));
}

double autocorrelation_time(std::span<const double> values) {
  const std::size_t count = values.size();
  SideCorrelations correlations(values);
  if (count < kFewestInTime || correlations.constant()) return 1;
  const double n = static_cast<double>(count);
  double time = 1;
  // Subtracting the mean lowers every correlation by about time / n, which the rounds correct.
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    const auto corrected = [&](std::size_t lag) {
      return lag == 0 ? 1
                      : std::min(1.0, correlations.at(lag) * n / (n - static_cast<double>(lag)) + time / n);
    };
    double sum = 0, pair = 2;
    for (std::size_t lag = 0; lag + 1 < count / 2; lag += 2) {
      pair = std::min(pair, corrected(lag) + corrected(lag + 1));
      if (pair <= 0) break;
      sum += pair;
    }
    time = std::clamp(2 * sum - 1, 1.0, n / 2);
  }
  return time;
}

Maybe<Interval> median_interval(std::span<const double> values, double confidence) {
  return interval_of(values, autocorrelation_time(values), confidence);
}

void set_interval(Statistics& statistics, std::span<const double> samples_s, const Work& work,
                  double confidence) {
  statistics.autocorrelation_time = autocorrelation_time(samples_s);
  const Maybe<Interval> interval = interval_of(samples_s, statistics.autocorrelation_time, confidence);
  statistics.low_s = statistics.high_s = statistics.confidence = std::nullopt;
  statistics.rate_low = statistics.rate_high = std::nullopt;
  statistics.interval_reason = interval.reason;
  if (!interval.value) return;
  statistics.low_s = interval.value->low;
  statistics.high_s = interval.value->high;
  statistics.confidence = interval.value->confidence;
  statistics.rate_low = work.amount / interval.value->high;
  statistics.rate_high = work.amount / interval.value->low;
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
  const double middle = median_of_sorted(ordered);
  const double mean =
      std::accumulate(ordered.begin(), ordered.end(), 0.0) / static_cast<double>(ordered.size());
  Statistics statistics{.samples = ordered.size(),
                        .median_s = middle,
                        .min_s = ordered.front(),
                        .max_s = ordered.back(),
                        .mean_s = mean,
                        .stddev_s = std::sqrt(variance(ordered, mean)),
                        .rate = work.amount / middle,
                        .rate_unit = work.unit + "/s",
                        .stopped_by = stopped_by};
  set_interval(statistics, samples_s, work, confidence);
  return statistics;
}

std::optional<std::string> StoppingCriterion::decide(std::span<const double> samples_s,
                                                     double elapsed_s) const {
  const std::size_t count = samples_s.size();
  if (count == 0) return std::nullopt;
  // For many samples, the interval is computed only about every count / kEveryOf samples: its cost grows with
  // their number.
  constexpr std::size_t kEveryOf = 64;
  const bool asked = count % std::max<std::size_t>(std::bit_floor(count) / kEveryOf, 1) == 0;
  if (asked && count >= std::max(min_samples, kFewestSamples)) {
    const Maybe<Interval> interval = median_interval(samples_s, confidence);
    if (interval.value->confidence >= confidence &&
        interval.value->high - interval.value->low <= relative_interval * median(samples_s))
      return "narrow interval";
  }
  if (count >= max_samples) return "sample limit";
  const double seconds = count < fewest_samples ? std::max(max_seconds, six_samples_seconds) : max_seconds;
  if (elapsed_s >= seconds) return "time limit";
  return std::nullopt;
}

}  // namespace gpuseq::results
