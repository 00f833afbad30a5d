#include "bench/phases/search/gaussian_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gpuseq::bench {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// The variance of one point measured twice, as a share of the variance between points.
constexpr double kNoise = 1e-3;
/// Values that lengths are chosen by: they cost the most.
constexpr std::size_t kMostOfLengths = 60;

/// Lower factor of a symmetric positive matrix, in place.
void factorise(Matrix& a) {
  for (std::size_t j = 0; j < a.size(); ++j)
    for (std::size_t i = j; i < a.size(); ++i) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j][j];
    }
}

std::vector<double> solve_lower(const Matrix& factor, std::vector<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= factor[i][k] * b[k];
    b[i] /= factor[i][i];
  }
  return b;
}

std::vector<double> solve_upper(const Matrix& factor, std::vector<double> b) {
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= factor[k][i] * b[k];
    b[i] /= factor[i][i];
  }
  return b;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

GaussianProcess::GaussianProcess(const Candidates& candidates, std::span<const std::size_t> places,
                                 std::span<const double> values)
    : candidates_(candidates), places_(places.begin(), places.end()), values_(values.begin(), values.end()) {
  const auto count = static_cast<double>(values_.size());
  mean_ = std::accumulate(values_.begin(), values_.end(), 0.0) / count;
  for (double& value : values_) value -= mean_;
  Lengths best;
  double most = -std::numeric_limits<double>::infinity();
  const std::size_t some = std::min(values_.size(), kMostOfLengths);
  for (const double ordered : {0.5, 1.0, 2.0, 4.0})
    for (const double other : {1.0, 2.0, 4.0, 8.0})
      if (const double likelihood = fit({ordered, other}, some); likelihood > most) {
        most = likelihood;
        best = {ordered, other};
      }
  fit(best, values_.size());
}

double GaussianProcess::alike(std::size_t a, std::size_t b, const Lengths& lengths) const {
  double exponent = 0;
  for (std::size_t f = 0; f < candidates_.features.size(); ++f) {
    const double x = candidates_.coordinates[a][f], y = candidates_.coordinates[b][f];
    if (x == y) continue;
    const std::optional<double> distance = candidates_.distance(f, x, y);
    exponent += distance ? *distance / lengths.ordered : 1 / lengths.other;
  }
  return std::exp(-exponent);
}

double GaussianProcess::fit(const Lengths& lengths, std::size_t count) {
  const std::vector<double> values(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count));
  lengths_ = lengths;
  factor_.assign(count, std::vector<double>(count, 0));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < i; ++k) factor_[i][k] = alike(places_[i], places_[k], lengths);
    factor_[i][i] = 1 + kNoise;
  }
  factorise(factor_);
  weights_ = solve_upper(factor_, solve_lower(factor_, values));
  variance_ = std::max(dot(values, weights_) / static_cast<double>(count), 1e-12);
  double determinant = 0;
  for (std::size_t i = 0; i < count; ++i) determinant += std::log(factor_[i][i]);
  return -0.5 * static_cast<double>(count) * std::log(variance_) - determinant;
}

Expectation GaussianProcess::at(std::size_t candidate) const {
  std::vector<double> near(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) near[i] = alike(places_[i], candidate, lengths_);
  const double mean = mean_ + dot(near, weights_);
  const std::vector<double> known = solve_lower(factor_, std::move(near));
  return {mean, std::sqrt(variance_ * std::max(1 + kNoise - dot(known, known), 1e-9))};
}

}  // namespace gpuseq::bench
