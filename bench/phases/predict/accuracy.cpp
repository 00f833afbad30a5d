#include "bench/phases/predict/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

/// Ranks from 0, those of equal values being the mean of the places that they share.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return ranks;
}

double correlation(std::span<const double> a, std::span<const double> b) {
  const double mean = static_cast<double>(a.size() - 1) / 2;  // of ranks
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace

Accuracy accuracy_of(std::span<const PredictedAndMeasured> points) {
  std::vector<double> predicted, measured, ratios, errors;
  for (const PredictedAndMeasured& one : points) {
    predicted.push_back(one.predicted);
    measured.push_back(one.measured);
    ratios.push_back(one.measured / one.predicted);
    errors.push_back(std::fabs(one.predicted / one.measured - 1));
  }
  Accuracy found{.points = points.size(), .median_error = results::median(errors)};
  found.rank_correlation = correlation(ranks_of(predicted), ranks_of(measured));
  const auto chosen = static_cast<std::size_t>(std::ranges::max_element(predicted) - predicted.begin());
  found.regret = 1 - measured[chosen] / *std::ranges::max_element(measured);
  const double usual = results::median(ratios);
  for (std::size_t i = 0; i < points.size(); ++i)
    errors[i] = std::fabs(usual * points[i].predicted / points[i].measured - 1);
  found.calibrated_error = results::median(errors);
  return found;
}

}  // namespace gpuseq::bench
