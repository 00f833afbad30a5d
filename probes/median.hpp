#pragma once

#include <algorithm>
#include <vector>

namespace gpuseq::probes {

/// The middle of the values, or the mean of the two in the middle. @param values  at least one
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

}  // namespace gpuseq::probes
