#pragma once

#include <cstddef>
#include <span>

namespace gpuseq::bench {

/// A point that was predicted and then measured, by their rates.
struct PredictedAndMeasured {
  double predicted = 0, measured = 0;
};

/// How good predictions of one contest are.
struct Accuracy {
  std::size_t points = 0;
  double rank_correlation = 0;  // Spearman's rho, equal rates sharing their ranks; 0 where all are equal
  double median_error = 0;      // of |predicted / measured - 1|
  double regret = 0;            // share that the point predicted to be best loses to the best measured one
  double calibrated_error = 0;  // median_error once the median ratio of measured to predicted is known
};

/// @param points  at least one; rates are positive
Accuracy accuracy_of(std::span<const PredictedAndMeasured> points);

}  // namespace gpuseq::bench
