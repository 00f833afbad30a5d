#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "probes/median.hpp"

// Random numbers of bootstraps. The standard's distributions differ between libraries, but same input
// must give same output.

namespace gpuseq::probes {

/// Uniform in [0, 1).
inline double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

inline double normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(random)));
  return radius * std::cos(2 * 3.14159265358979323846 * uniform(random));
}

/// Median of values.size() values drawn from `values` with replacement. @param values  at least one
inline double bootstrapped_median(const std::vector<double>& values, std::mt19937_64& random) {
  std::vector<double> drawn;
  drawn.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    drawn.push_back(values[static_cast<std::size_t>(uniform(random) * static_cast<double>(values.size()))]);
  return median(std::move(drawn));
}

}  // namespace gpuseq::probes
