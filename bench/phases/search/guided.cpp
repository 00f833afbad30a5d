#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

#include "bench/phases/search/gaussian_process.hpp"
#include "bench/phases/search/strategy.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::bench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Points before the first model: as many as say something of every feature.
constexpr std::size_t kFewestFirst = 4, kMostFirst = 10;
/// Candidates that a model is asked about at a time, hardly more.
constexpr std::size_t kMostAsked = 500;

/// Expected improvement over the best so far, of values whose logarithm is normal. Source: Jones, Schonlau
/// and Welch 1998.
double expected_improvement(const Expectation& of, double best) {
  if (!(of.deviation > 0)) return std::max(of.mean - best, 0.0);
  const double z = (of.mean - best) / of.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return (of.mean - best) * 0.5 * std::erfc(-z / std::numbers::sqrt2) + of.deviation * density;
}

/// Logarithms of the scores that are expected before any is measured. Candidates without one get the least
/// expected score, so that they come later; all are alike where nothing is expected.
class Prior {
 public:
  explicit Prior(const Candidates& candidates) : expected_(candidates.expected) {
    double least = kInfinity;
    for (const std::optional<double>& one : expected_)
      if (one && *one > 0) least = std::min(least, *one);
    is_known_ = std::isfinite(least);
    unknown_ = is_known_ ? std::log(least) : 0;
  }
  bool is_known() const { return is_known_; }
  double at(std::size_t candidate) const {
    return is_known_ && expected_[candidate] && *expected_[candidate] > 0 ? std::log(*expected_[candidate])
                                                                          : unknown_;
  }

 private:
  std::span<const std::optional<double>> expected_;
  bool is_known_ = false;
  double unknown_ = 0;
};

/// Candidates that are expected to be best and are tried before a model says how far that holds.
constexpr std::size_t kFirstExpected = 2;
/// Rates that no prediction tells apart, as the difference of logarithms.
constexpr double kAlike = 0.01;

/// How far the expected scores hold: the slope of values over them, by least squares. Few values, or nearly
/// equal expectations, leave it near 1.
double slope_of(const Prior& prior, std::span<const std::size_t> places, std::span<const double> values) {
  constexpr double kWeightOfOne = 0.05;  // as a pair of values that are expected to be a third apart
  const auto count = static_cast<double>(values.size());
  double expected = 0, found = 0, products = kWeightOfOne, squares = kWeightOfOne;
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected += prior.at(places[i]) / count;
    found += values[i] / count;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    products += (prior.at(places[i]) - expected) * (values[i] - found);
    squares += (prior.at(places[i]) - expected) * (prior.at(places[i]) - expected);
  }
  return products / squares;
}

/// The time that a candidate takes, by a model of the times of others. Source: Snoek, Larochelle and Adams
/// 2012, expected improvement per second.
class Duration {
 public:
  Duration(const Candidates& candidates, std::span<const Tried> tried) {
    std::vector<std::size_t> places;
    std::vector<double> values;
    for (const Tried& one : tried) {
      if (!(one.seconds > 0)) return;
      places.push_back(one.candidate);
      values.push_back(std::log(one.seconds));
    }
    model_.emplace(candidates, places, values);
  }
  double at(std::size_t candidate) const {
    return model_ ? kOverheadSeconds + std::exp(model_->at(candidate).mean) : 1;
  }

 private:
  static constexpr double kOverheadSeconds = 0.05;  // of any candidate: a worker, loading, choosing
  std::optional<GaussianProcess> model_;
};

/// A model of the logarithm of the score, or of its ratio to the expected score, gives every candidate a
/// predicted value and its uncertainty; the one with the largest expected improvement per second is next. The
/// first few are far from each other, or those that are expected to be best.
class Guided final : public Strategy {
  std::size_t choose(const Candidates& candidates, std::span<const Tried> tried,
                     std::span<const std::size_t> untried, std::uint64_t seed) const override {
    Random random(seed, tried.size());
    const Prior prior(candidates);
    const std::vector<std::size_t> asked = sample(candidates, untried, prior, random);
    const std::size_t first = std::clamp(candidates.features.size(), kFewestFirst, kMostFirst);
    const bool none_scored =
        std::ranges::none_of(tried, [](const Tried& one) { return one.score.has_value(); });
    if (prior.is_known() && (tried.size() < kFirstExpected || none_scored))
      return farthest(candidates, tried, likeliest(asked, prior));
    if (tried.empty()) return asked[random.below(asked.size())];
    // From points that were expected to be best alone no model would learn where that is wrong.
    const bool look_around = prior.is_known() ? tried.size() % 2 == 1 : true;
    if ((tried.size() < first || none_scored) && look_around) return farthest(candidates, tried, asked);
    double best = -kInfinity, worst = kInfinity;
    for (const Tried& one : tried)
      if (one.score) {
        best = std::max(best, std::log(*one.score));
        worst = std::min(worst, std::log(*one.score));
      }
    std::vector<std::size_t> places;
    std::vector<double> values;
    for (const Tried& one : tried) {
      places.push_back(one.candidate);
      values.push_back(one.score ? std::log(*one.score) : worst);  // a failure is as bad as the worst
    }
    const double slope = slope_of(prior, places, values);
    for (std::size_t i = 0; i < places.size(); ++i) values[i] -= slope * prior.at(places[i]);
    const GaussianProcess model(candidates, places, values);
    const Duration duration(candidates, tried);
    return *std::ranges::max_element(asked, {}, [&](std::size_t one) {
      const Expectation more = model.at(one);
      return expected_improvement({slope * prior.at(one) + more.mean, more.deviation}, best) /
             duration.at(one);
    });
  }

  /// Those that are expected to be best, as far as that can tell them apart.
  static std::vector<std::size_t> likeliest(std::span<const std::size_t> asked, const Prior& prior) {
    double most = -kInfinity;
    for (const std::size_t one : asked) most = std::max(most, prior.at(one));
    std::vector<std::size_t> alike;
    std::ranges::copy_if(asked, std::back_inserter(alike),
                         [&](std::size_t one) { return prior.at(one) > most - kAlike; });
    return alike;
  }

  /// All if they are few. Else those that are expected to be best, and others at random, as many of each
  /// variant: one with a hundred points would hardly be asked about next to one with fifty thousand.
  static std::vector<std::size_t> sample(const Candidates& candidates, std::span<const std::size_t> untried,
                                         const Prior& prior, Random& random) {
    std::vector<std::size_t> rest(untried.begin(), untried.end()), some;
    if (rest.size() <= kMostAsked) return rest;
    if (prior.is_known()) {
      std::ranges::stable_sort(rest, std::ranges::greater(), [&](std::size_t one) { return prior.at(one); });
      const auto end = rest.begin() + kMostAsked / 2;
      some.assign(rest.begin(), end);
      rest.erase(rest.begin(), end);
    }
    std::map<double, std::vector<std::size_t>> variants;
    for (const std::size_t one : rest) variants[candidates.coordinates[one][kVariantPlace]].push_back(one);
    while (some.size() < kMostAsked)
      for (auto& [variant, left] : variants) {
        if (left.empty()) continue;
        std::swap(left[random.below(left.size())], left.back());
        some.push_back(left.back());
        left.pop_back();
      }
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
