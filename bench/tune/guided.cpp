#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/tune/gaussian_process.hpp"
#include "bench/tune/strategy.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::bench {
namespace {

/// Points before the first model: as many as say something of every feature.
constexpr std::size_t kFewestFirst = 4, kMostFirst = 10;
/// Candidates that a model is asked about at a time: of more, so many at random, and the neighbours of the
/// best.
constexpr std::size_t kMostAsked = 500;

/// Expected improvement over the best so far, of values whose logarithm is normal. Source: Jones, Schonlau
/// and Welch 1998.
double expected_improvement(const Expectation& of, double best) {
  if (!(of.deviation > 0)) return std::max(of.mean - best, 0.0);
  const double z = (of.mean - best) / of.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return (of.mean - best) * 0.5 * std::erfc(-z / std::numbers::sqrt2) + of.deviation * density;
}

/// A model of the logarithm of the score says of every candidate what is expected and how surely; the one
/// with the largest expected improvement is next. The first few are far from each other.
class Guided final : public Strategy {
  std::size_t choose(const Candidates& candidates, std::span<const Tried> tried,
                     std::span<const std::size_t> untried, std::uint64_t seed) const override {
    Random random(seed, tried.size());
    const std::vector<std::size_t> asked = sample(untried, random);
    const std::size_t first = std::clamp(candidates.features.size(), kFewestFirst, kMostFirst);
    if (tried.empty()) return asked[random.below(asked.size())];
    if (tried.size() < first ||
        std::ranges::none_of(tried, [](const Tried& one) { return one.score.has_value(); }))
      return farthest(candidates, tried, asked);
    double best = -INFINITY, worst = INFINITY;
    for (const Tried& one : tried)
      if (one.score) {
        best = std::max(best, std::log(*one.score));
        worst = std::min(worst, std::log(*one.score));
      }
    std::vector<std::size_t> places;
    std::vector<double> values;
    for (const Tried& one : tried) {
      places.push_back(one.candidate);
      values.push_back(one.score ? std::log(*one.score) : worst);  // what fails is as bad as the worst
    }
    const GaussianProcess model(candidates, places, values);
    return *std::ranges::max_element(
        asked, {}, [&](std::size_t one) { return expected_improvement(model.at(one), best); });
  }

  static std::size_t index_of_best(std::span<const double> values) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
  }

  static std::vector<std::size_t> sample(std::span<const std::size_t> untried, Random& random) {
    std::vector<std::size_t> some(untried.begin(), untried.end());
    if (some.size() <= kMostAsked) return some;
    for (std::size_t i = 0; i < kMostAsked; ++i) std::swap(some[i], some[i + random.below(some.size() - i)]);
    some.resize(kMostAsked);
    return some;
  }

  /// The candidate that differs from the nearest of those tried in the most features.
  static std::size_t farthest(const Candidates& candidates, std::span<const Tried> tried,
                              std::span<const std::size_t> asked) {
    return *std::ranges::max_element(asked, {}, [&](std::size_t one) {
      std::size_t nearest = candidates.features.size();
      for (const Tried& other : tried)
        nearest = std::min(nearest, candidates.differences(one, other.candidate));
      return nearest;
    });
  }
};

}  // namespace

std::unique_ptr<Strategy> make_guided() {
  return std::make_unique<Guided>();
}

}  // namespace gpuseq::bench
