#include "results/statistics/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "results/statistics/statistics.hpp"
#include "results/statistics/student_t.hpp"

namespace gpuseq::results {
namespace {

constexpr std::size_t kFewestForStudent = 3;
constexpr double kRangeOfTwo = 0.5;  // probability that the range of two values covers their median

std::vector<double> logs_of(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("a mean of no values");
  std::vector<double> logs;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value))
      throw std::invalid_argument(fmt::format("a geometric mean of {}", value));
    logs.push_back(std::log(value));
  }
  return logs;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double exp_within(double log, std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return std::clamp(std::exp(log), low, high);  // the mean of equal values is that value
}

void set_interval_of_two(CaseRate& of, const Statistics& a, const Statistics& b) {
  const auto low = [](const Statistics& one) { return one.rate_low.value_or(one.rate); };
  const auto high = [](const Statistics& one) { return one.rate_high.value_or(one.rate); };
  of.low = std::min(low(a), low(b));
  of.high = std::max(high(a), high(b));
  const bool overlap = low(a) <= high(b) && low(b) <= high(a);
  of.confidence = overlap
                      ? std::max(kRangeOfTwo, std::min(a.confidence.value_or(0), b.confidence.value_or(0)))
                      : kRangeOfTwo;
}

void set_students_interval(CaseRate& of, std::span<const double> logs) {
  const double count = static_cast<double>(logs.size()), mean = mean_of(logs);
  double squares = 0;
  for (const double one : logs) squares += (one - mean) * (one - mean);
  const double half = student_t_quantile(kConfidence, static_cast<int>(logs.size()) - 1) *
                      std::sqrt(squares / (count - 1) / count);
  of.low = of.rate * std::exp(-half);
  of.high = of.rate * std::exp(half);
  of.confidence = kConfidence;
}

}  // namespace

double geometric_mean(std::span<const double> values) {
  return exp_within(mean_of(logs_of(values)), values);
}

CaseRate case_rate(std::span<const Record* const> records) {
  std::vector<double> rates;
  CaseRate of{.rounds = records.size()};
  for (const Record* record : records) {
    if (!record->statistics) throw std::invalid_argument("a rate of a record without samples");
    rates.push_back(record->statistics->rate);
    of.samples += record->statistics->samples;
  }
  of.rate = geometric_mean(rates);
  const Statistics& first = *records.front()->statistics;
  of.unit = first.rate_unit;
  if (records.size() == 1) {
    of.low = first.rate_low;
    of.high = first.rate_high;
    of.confidence = first.confidence;
    of.interval_reason = first.interval_reason;
  } else if (records.size() < kFewestForStudent) {
    set_interval_of_two(of, first, *records.back()->statistics);
  } else {
    set_students_interval(of, logs_of(rates));
  }
  return of;
}

}  // namespace gpuseq::results
