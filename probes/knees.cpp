#include "probes/knees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "probes/resampling.hpp"
#include "probes/transitions.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::size_t kFewestPoints = 5;
/// A resample's knee is the same knee when it is no further away than this (octaves) or half its width.
constexpr double kSamePlace = 0.5;
constexpr std::size_t kSamplesToResample = 3;

void check(std::span<const CurvePoint> curve) {
  double last = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const CurvePoint& point = curve[i];
    if (!(point.footprint_bytes > last) || !std::isfinite(point.footprint_bytes))
      throw UsageError(
          fmt::format("curve point {}: footprint {} after {}; footprints must be positive and rise", i,
                      point.footprint_bytes, last));
    last = point.footprint_bytes;
    if (point.samples.empty()) throw UsageError(fmt::format("curve point {}: no samples", i));
    for (const auto* values : {&point.samples, &point.passes})
      for (const double value : *values)
        if (!(value > 0) || !std::isfinite(value))
          throw UsageError(fmt::format("curve point {}: sample {} is not positive and finite", i, value));
  }
}

/// Standard deviation of the logarithm of one pass around its point's mean, of all points together: two or
/// three passes of one point say too little of it.
double pass_noise(std::span<const CurvePoint> curve) {
  double squares = 0;
  std::size_t freedom = 0;
  for (const CurvePoint& point : curve) {
    if (point.passes.size() < 2) continue;
    double mean = 0;
    for (const double level : point.passes) mean += std::log(level);
    mean /= static_cast<double>(point.passes.size());
    for (const double level : point.passes) squares += (std::log(level) - mean) * (std::log(level) - mean);
    freedom += point.passes.size() - 1;
  }
  return freedom == 0 ? 0 : std::sqrt(squares / static_cast<double>(freedom));
}

/// In what a curve is fitted. Rates add where throughput limits, times where latency does, and a change that
/// is spread out evenly is so in the logarithm.
enum class Scale { value, reciprocal, logarithm };

double scaled(double value, Scale scale) {
  switch (scale) {
    case Scale::value:
      return value;
    case Scale::reciprocal:
      return 1 / value;
    case Scale::logarithm:
      return std::log(value);
  }
  return 0;
}

double unscaled(double y, Scale scale) {
  return scale == Scale::logarithm ? std::exp(y) : scaled(y, scale);
}

struct Choice {
  Scale scale = Scale::value;
  bool with_drift = false;
  CurveFit fit;
};

class Detector {
 public:
  Detector(std::span<const CurvePoint> curve, const KneeOptions& options) : curve_(curve), options_(options) {
    for (const CurvePoint& point : curve) {
      x_.push_back(std::log2(point.footprint_bytes));
      values_.push_back(point.level());
    }
    pass_noise_ = pass_noise(curve);
  }

  std::vector<Knee> find() {
    std::optional<Choice> best;
    for (Scale scale : {Scale::value, Scale::reciprocal, Scale::logarithm}) {
      const CurveFitter fitter = make_fitter(scale);
      for (bool with_drift : {false, true}) {
        CurveFit fit = fitter.fit(in_scale(values_, scale), with_drift);
        if (!best || fit.bic < best->fit.bic) best = Choice{scale, with_drift, std::move(fit)};
      }
    }
    std::vector<Knee> knees = describe(*best);
    if (!knees.empty()) bootstrap(*best, knees);
    std::erase_if(knees, [&](const Knee& knee) { return knee.confidence < options_.min_confidence; });
    return knees;
  }

 private:
  static std::vector<double> in_scale(std::span<const double> values, Scale scale) {
    std::vector<double> y;
    for (double value : values) y.push_back(scaled(value, scale));
    return y;
  }

  CurveFitter make_fitter(Scale scale) const {
    if (scale == Scale::logarithm)
      return {x_, std::vector<double>(x_.size(), 1.0), std::log1p(options_.min_relative_change)};
    return {x_, in_scale(values_, scale), options_.min_relative_change};
  }

  /// 2^x, and exactly the footprint where x is a point's.
  double bytes_at(double x) const {
    const auto found = std::ranges::find(x_, x);
    if (found == x_.end()) return std::exp2(x);
    return curve_[static_cast<std::size_t>(found - x_.begin())].footprint_bytes;
  }

  /// A step within one octave, or a change so large that an octave shows it threefold: past a translation
  /// cache's reach a rate goes on falling as 1 / footprint, which no single step describes.
  bool is_hard(const Transition& transition, const Choice& choice) const {
    if (transition.shape == Shape::step && transition.width() <= 1 + 1e-9) return true;
    constexpr double kThreefold = 3;
    const double before = unscaled(choice.fit.at(transition.from), choice.scale);
    const double after = unscaled(choice.fit.at(std::min(transition.from + 1, x_.back())), choice.scale);
    return std::max(before, after) >= kThreefold * std::min(before, after);
  }

  std::vector<Knee> describe(const Choice& choice) const {
    std::vector<Knee> knees;
    const auto& transitions = choice.fit.transitions;
    for (std::size_t i = 0; i < transitions.size(); ++i) {
      const Transition& transition = transitions[i];
      double to = std::min(transition.to, x_.back());
      if (i + 1 < transitions.size()) to = std::min(to, std::max(transitions[i + 1].from, transition.at()));
      Knee knee;
      knee.from_bytes = bytes_at(transition.from);
      knee.to_bytes = bytes_at(to);
      knee.at_bytes = std::exp2(transition.at());
      knee.before = unscaled(choice.fit.at(transition.from), choice.scale);
      knee.after = unscaled(choice.fit.at(to), choice.scale);
      knee.hard = is_hard(transition, choice);
      knees.push_back(knee);
    }
    return knees;
  }

  /// One resample of the curve: of a point of several passes its level with noise of the size that passes
  /// differ by (its samples are of the same moments and would say too little), else of its samples where
  /// there are several, else the fit with noise of the size of its residuals.
  std::vector<double> resample(const Choice& choice, std::mt19937_64& random) const {
    const double noise = std::sqrt(choice.fit.mean_square);
    std::vector<double> y;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const std::vector<double>& samples = curve_[i].samples;
      if (!curve_[i].passes.empty()) {
        y.push_back(scaled(values_[i] * std::exp(pass_noise_ * normal(random)), choice.scale));
        continue;
      }
      if (samples.size() < kSamplesToResample) {
        y.push_back(scaled(unscaled(choice.fit.at(x_[i]), choice.scale) * std::exp(noise * normal(random)),
                           choice.scale));
        continue;
      }
      y.push_back(scaled(bootstrapped_median(samples, random), choice.scale));
    }
    return y;
  }

  void bootstrap(const Choice& choice, std::vector<Knee>& knees) const {
    const CurveFitter fitter = make_fitter(choice.scale);
    std::mt19937_64 random(options_.seed);
    std::vector<std::vector<double>> places(knees.size());
    for (int i = 0; i < options_.resamples; ++i) {
      const CurveFit fit = fitter.fit(resample(choice, random), choice.with_drift);
      for (std::size_t k = 0; k < knees.size(); ++k)
        if (const auto place = same_knee(choice.fit, k, fit)) places[k].push_back(*place);
    }
    for (std::size_t k = 0; k < knees.size(); ++k) {
      std::vector<double>& found = places[k];
      knees[k].confidence = static_cast<double>(found.size()) / std::max(1, options_.resamples);
      std::ranges::sort(found);
      const double at = std::log2(knees[k].at_bytes);
      const auto quantile = [&](double q) {
        if (found.empty()) return at;
        return found[static_cast<std::size_t>(std::lround(q * static_cast<double>(found.size() - 1)))];
      };
      knees[k].low_bytes = std::exp2(std::min(at, quantile(0.025)));
      knees[k].high_bytes = std::exp2(std::max(at, quantile(0.975)));
    }
  }

  /// Where the resampled fit has the k-th knee of `original`: the nearest of the same direction.
  static std::optional<double> same_knee(const CurveFit& original, std::size_t k, const CurveFit& resampled) {
    const Transition& wanted = original.transitions[k];
    std::optional<double> nearest;
    for (std::size_t i = 0; i < resampled.transitions.size(); ++i) {
      const double at = resampled.transitions[i].at();
      if (resampled.changes[i] * original.changes[k] < 0) continue;
      if (std::abs(at - wanted.at()) > std::max(kSamePlace, 0.5 * wanted.width()) + 1e-9) continue;
      if (!nearest || std::abs(at - wanted.at()) < std::abs(*nearest - wanted.at())) nearest = at;
    }
    return nearest;
  }

  std::span<const CurvePoint> curve_;
  const KneeOptions& options_;
  std::vector<double> x_, values_;
  double pass_noise_ = 0;
};

}  // namespace

std::vector<Knee> find_knees(std::span<const CurvePoint> curve, const KneeOptions& options) {
  check(curve);
  if (curve.size() < kFewestPoints) return {};
  return Detector(curve, options).find();
}

}  // namespace gpuseq::probes
