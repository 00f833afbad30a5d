#include "results/statistics/median_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gpuseq::results {
namespace {

/// Logarithms of how many ways there are to choose k of n, for each k.
std::vector<double> log_choices(std::size_t n) {
  std::vector<double> log_factorial(n + 1, 0.0), choices(n + 1);
  for (std::size_t i = 1; i <= n; ++i) log_factorial[i] = log_factorial[i - 1] + std::log(i);
  for (std::size_t k = 0; k <= n; ++k)
    choices[k] = log_factorial[n] - log_factorial[k] - log_factorial[n - k];
  return choices;
}

/// Logarithm of a^k - b^k, a > b >= 0, as that of a difference of nearly equal powers as well.
double log_difference(double a, double b, double k) {
  return k * std::log(a) + std::log(-std::expm1(k * std::log(b / a)));
}

/// The chance that at least `least` of the draws fall among a share `p` of all values.
double chance_of_at_least(std::size_t least, double p, const std::vector<double>& choices) {
  if (p >= 1) return 1;
  const std::size_t draws = choices.size() - 1;
  double chance = 0;
  for (std::size_t k = least; k <= draws; ++k)
    chance += std::exp(choices[k] + static_cast<double>(k) * std::log(p) +
                       static_cast<double>(draws - k) * std::log1p(-p));
  return chance;
}

}  // namespace

/// With k draws up to the lower middle one, it is of rank i and the upper one of a rank j > i if k draws lie
/// at or below i, one of them at i, and the others at or above j, one of them at j. What is left of the
/// chance that the lower one is of rank i is that of both at i.
std::vector<MedianLaw::Outcome> MedianLaw::outcomes(std::size_t values, std::size_t size) {
  if (values == 0 || size == 0 || values > kMostValues)
    throw std::invalid_argument(fmt::format("the law of medians of {} among {} values", size, values));
  const std::vector<double> choices = log_choices(size);
  const std::size_t below = (size + 1) / 2, above = size - below;
  const bool one = size % 2 == 1;
  const double n = static_cast<double>(values), k = static_cast<double>(below),
               l = static_cast<double>(above);
  const auto share = [n](std::size_t count) { return static_cast<double>(count) / n; };
  std::vector<Outcome> outcomes;
  const auto add = [&](std::size_t i, std::size_t j, double probability) {
    if (probability > 0)
      outcomes.push_back({{static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j)}, probability});
  };
  double up_to_before = 0;
  for (std::size_t i = 0; i < values; ++i) {
    const double up_to = chance_of_at_least(below, share(i + 1), choices);
    double both = up_to - up_to_before;
    up_to_before = up_to;
    if (!one) {
      const double lower = choices[below] + log_difference(share(i + 1), share(i), k);
      both -= std::exp(lower + l * std::log(share(values - i - 1)));
      for (std::size_t j = i + 1; j < values; ++j)
        add(i, j, std::exp(lower + log_difference(share(values - j), share(values - j - 1), l)));
    }
    add(i, i, both);
  }
  return outcomes;
}

/// Vose's construction (1991) of the alias table: an outcome that is too rare for its column leaves the rest
/// of it to one that is too frequent.
MedianLaw::MedianLaw(std::size_t values, std::size_t size) {
  std::vector<Outcome> outcomes = MedianLaw::outcomes(values, size);
  double all = 0;
  for (const Outcome& outcome : outcomes) all += outcome.probability;
  std::vector<std::size_t> rare, frequent;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes[i].probability *= static_cast<double>(outcomes.size()) / all;  // in columns
    columns_.push_back({~std::uint64_t{0}, {outcomes[i].ranks, outcomes[i].ranks}});
    (outcomes[i].probability < 1 ? rare : frequent).push_back(i);
  }
  while (!rare.empty() && !frequent.empty()) {
    const std::size_t own = rare.back(), other = frequent.back();
    rare.pop_back();
    columns_[own].share = static_cast<std::uint64_t>(outcomes[own].probability * 0x1p64);
    columns_[own].own_and_other[1] = columns_[other].own_and_other[0];
    outcomes[other].probability -= 1 - outcomes[own].probability;
    if (outcomes[other].probability >= 1) continue;
    frequent.pop_back();
    rare.push_back(other);
  }
}

}  // namespace gpuseq::results
