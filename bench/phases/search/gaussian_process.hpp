#pragma once

#include <span>
#include <vector>

#include "bench/phases/search/candidates.hpp"

namespace gpuseq::bench {

/// The value that a model expects of a candidate, and its uncertainty.
struct Expectation {
  double mean = 0, deviation = 0;
};

/// Regression by a Gaussian process over the features of candidates: values are alike where coordinates are
/// near each other (ordered features) or equal (others). Lengths are those of a grid under which the values
/// are the likeliest. Source: Rasmussen and Williams 2006, algorithm 2.1.
class GaussianProcess {
 public:
  /// @param places  of `values`, among the candidates; at least one
  GaussianProcess(const Candidates& candidates, std::span<const std::size_t> places,
                  std::span<const double> values);

  Expectation at(std::size_t candidate) const;

 private:
  struct Lengths {
    double ordered = 1, other = 1;
  };
  double alike(std::size_t a, std::size_t b, const Lengths& lengths) const;
  /// Fits the first values with these lengths. @returns the logarithm of the likelihood, but for a constant
  double fit(const Lengths& lengths, std::size_t count);

  const Candidates& candidates_;
  std::vector<std::size_t> places_;
  std::vector<double> values_;  // less their mean
  double mean_ = 0, variance_ = 1;
  Lengths lengths_;
  std::vector<std::vector<double>> factor_;  // of Cholesky, lower
  std::vector<double> weights_;
};

}  // namespace gpuseq::bench
