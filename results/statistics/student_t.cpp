#include "results/statistics/student_t.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace gpuseq::results {

double student_t_within(double t, int degrees) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1, sum = 0;  // terms of the series in powers of the cosine
  for (int power = odd ? 1 : 0; power <= degrees - 2; power += 2) {
    sum += term;
    term *= cosine * cosine * (power + 1) / (power + 2);
  }
  return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

double student_t_quantile(double confidence, int degrees) {
  if (!(confidence > 0 && confidence < 1) || degrees < 1)
    throw std::invalid_argument("a quantile of Student's t needs a confidence within (0, 1) and degrees");
  double low = 0, high = 1;
  while (student_t_within(high, degrees) < confidence) high *= 2;
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (student_t_within(middle, degrees) < confidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace gpuseq::results
