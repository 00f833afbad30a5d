#include "probes/levels/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "probes/levels/capacity.hpp"
#include "probes/levels/curve_terms.hpp"
#include "probes/levels/level_search.hpp"
#include "probes/levels/translation.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

constexpr double kOnItsOwn = 4;         // least loss of the criterion for a curve that shows a level
constexpr double kScanStep = 1.0 / 32;  // octaves
constexpr double kShown = 0.05;         // relative slowdown at which a level shows
constexpr double kTimesApart = 2, kSameCost = 1.15;  // factors between curves with costs per
                                                     // access, not per byte
constexpr std::size_t kFewestBlocks = 3;
constexpr double kLeastOctaves = 1.0 / 64;  // least half-width of an interval

void check_points(std::span<const LevelCurve> curves) {
  for (const LevelCurve& curve : curves) {
    double last = 0;
    for (const CurvePoint& point : curve.points) {
      if (!(point.footprint_bytes > last) || !std::isfinite(point.footprint_bytes))
        throw UsageError(fmt::format("{}: footprint {} after {}; footprints must be positive and rise",
                                     curve.name, point.footprint_bytes, last));
      last = point.footprint_bytes;
      if (point.samples.empty() && point.passes.empty())
        throw UsageError(fmt::format("{}: no samples", curve.name));
      for (const auto* values : {&point.samples, &point.passes})
        for (const double value : *values)
          if (!(value > 0) || !std::isfinite(value))
            throw UsageError(fmt::format("{}: time {} is not positive and finite", curve.name, value));
    }
  }
}

LevelEvidence evidence_of(const CurveTerms& curve, std::span<const CurveTerms::Term> terms,
                          std::size_t term) {
  const CurveTerms::Solution solution = curve.solve(terms);
  double before = solution.added[0];
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (!terms[i].place.gradual() && terms[i].place.at < terms[term].place.at)
      before += solution.added[i + 1];
  LevelEvidence evidence{.misses = terms[term].misses};
  evidence.before_ns = curve.unscaled(before);
  evidence.after_ns = curve.unscaled(before + solution.added[term + 1]);
  return evidence;
}

/// Whether the added time is the same for three block sizes whose times before differ: costs
/// are then per access.
bool costs_by_access(std::span<const LevelEvidence> evidence, std::span<const LevelCurve> curves) {
  double least_before = 0, most_before = 0, least_added = 0, most_added = 0;
  std::set<double> blocks;
  for (const LevelEvidence& one : evidence) {
    if (curves[one.curve].one_at_a_time) continue;
    const double added = one.after_ns - one.before_ns;
    const bool first = blocks.empty();
    least_before = first ? one.before_ns : std::min(least_before, one.before_ns);
    least_added = first ? added : std::min(least_added, added);
    most_before = std::max(most_before, one.before_ns);
    most_added = std::max(most_added, added);
    blocks.insert(curves[one.curve].block_bytes);
  }
  return blocks.size() >= kFewestBlocks && most_before > kTimesApart * least_before &&
         most_added < kSameCost * least_added;
}

/// The curves that each show a component without the others.
std::vector<std::size_t> showing_curves(std::span<const CurveTerms> curves, const LevelSearch& search,
                                        std::size_t component) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < curves.size(); ++k)
    if (search.score_without(component, k) > curves[k].score(search.terms_of(k)) + kOnItsOwn)
      found.push_back(k);
  return found;
}

/// Total loss of the criterion without the component, over the curves that show it.
double weight_of(std::span<const CurveTerms> curves, const LevelSearch& search, std::size_t component) {
  double weight = 0;
  for (std::size_t k = 0; k < curves.size(); ++k)
    weight += search.score_without(component, k) - curves[k].score(search.terms_of(k));
  return weight;
}

/// The lighter of two levels that no curve distinguishes: a level end with another shape than the
/// model's looks like two.
std::optional<std::size_t> double_level(std::span<const CurveTerms> curves, const LevelSearch& search) {
  const auto& components = search.components();
  // Places estimated from each component's own curves, computed only if another component is close.
  std::vector<double> places(components.size(), std::numeric_limits<double>::quiet_NaN());
  const auto place = [&](std::size_t i) {
    if (components[i].reach) places[i] = components[i].place.at;
    if (std::isnan(places[i])) places[i] = estimate_capacity(search, i, showing_curves(curves, search, i)).at;
    return places[i];
  };
  for (std::size_t i = 0; i < components.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Place &a = components[i].place, &b = components[j].place;
      if (a.gradual() || b.gradual() || std::abs(a.at - b.at) > 2 * LevelSearch::kApart) continue;
      if (std::abs(place(i) - place(j)) >= LevelSearch::kApart) continue;
      if (components[i].reach || components[j].reach) return components[i].reach ? j : i;
      return weight_of(curves, search, i) < weight_of(curves, search, j) ? i : j;
    }
  return std::nullopt;
}

/// Finds levels, and searches again with less weight for points that these explain badly.
LevelSearch searched(std::vector<CurveTerms>& curves, std::optional<double> reach) {
  LevelSearch search(curves, reach);
  search.run();
  for (std::size_t k = 0; k < curves.size(); ++k) curves[k].doubt(search.terms_of(k));
  search = search.with(curves);
  while (const auto lighter = double_level(curves, search)) search.remove(*lighter);
  return search;
}

/// Converts the best fit of the search to the caller's types.
class Description {
 public:
  Description(std::span<const LevelCurve> given, std::span<const std::size_t> used,
              std::span<const CurveTerms> curves, const LevelSearch& search)
      : given_(given), used_(used), curves_(curves), search_(search) {}

  LevelsFit fit(const std::optional<TranslationLimit>& limit) const {
    LevelsFit fit;
    fit.criterion = search_.total();
    for (std::size_t i = 0; i < search_.components().size(); ++i) {
      const LevelSearch::Component& component = search_.components()[i];
      if (component.place.gradual())
        fit.rises.push_back(rise(i));
      else if (!component.reach)
        fit.levels.push_back(level(i));
    }
    if (limit) fit.levels.push_back(translation(*limit));
    std::ranges::sort(fit.levels, {}, &MemoryLevel::capacity_bytes);
    std::ranges::sort(fit.rises, {}, &GradualRise::from_bytes);
    fit.curves.resize(given_.size());
    for (std::size_t k = 0; k < used_.size(); ++k) fit.curves[used_[k]] = explained(k);
    return fit;
  }

 private:
  std::vector<std::size_t> showing(std::size_t component) const {
    return showing_curves(curves_, search_, component);
  }

  LevelEvidence evidence(std::size_t component, std::size_t k) const {
    const auto& terms = search_.terms_of(k);
    const auto term = std::ranges::find(terms, component, &CurveTerms::Term::component) - terms.begin();
    LevelEvidence found = evidence_of(curves_[k], terms, static_cast<std::size_t>(term));
    found.curve = used_[k];
    found.weight = search_.score_without(component, k) - curves_[k].score(terms);
    return found;
  }

  /// The first footprint at which a curve is slower by kShown.
  double shows_from(double at, const LevelEvidence& one) const {
    for (int step = 0; step * kScanStep < 4.5; ++step) {
      const double x = at - 0.5 + step * kScanStep;
      if ((one.after_ns - one.before_ns) * missed({.at = at}, one.misses, std::exp2(x)) >=
          kShown * one.before_ns)
        return std::exp2(x);
    }
    return std::exp2(at + 4);
  }

  MemoryLevel level(std::size_t component) const {
    const double at = search_.components()[component].place.at;
    MemoryLevel level{.capacity_bytes = std::exp2(at)};
    const std::vector<std::size_t> found = showing(component);
    for (const std::size_t k : found) {
      level.evidence.push_back(evidence(component, k));
      const double from = shows_from(at, level.evidence.back());
      level.shows_from_bytes = level.shows_from_bytes == 0 ? from : std::min(level.shows_from_bytes, from);
    }
    if (costs_by_access(level.evidence, given_)) level.kind = LevelKind::translation;
    const CapacityEstimate estimate = estimate_capacity(search_, component, found);
    level.capacity_bytes = std::exp2(estimate.at);
    level.low_bytes = std::exp2(estimate.low);
    level.high_bytes = std::exp2(estimate.high);
    level.uncertain = found.size() < 2 || estimate.high - estimate.low > kWideInterval;
    return level;
  }

  MemoryLevel translation(const TranslationLimit& limit) const {
    MemoryLevel level{.kind = LevelKind::translation, .capacity_bytes = limit.reach_bytes};
    std::vector<PlaceOfOne> reaches;
    for (const LimitedCurve& one : limited_curves(curves_, limit)) {
      level.evidence.push_back(
          {.curve = used_[one.curve], .before_ns = one.before_ns, .after_ns = limit.cost_ns});
      reaches.push_back({std::log2(one.reach_bytes), kLeastOctaves});
      const double from = limit.reach_bytes / (1 - (1 + kShown) * one.before_ns / limit.cost_ns);
      level.shows_from_bytes = level.shows_from_bytes == 0 ? from : std::min(level.shows_from_bytes, from);
    }
    for (std::size_t i = 0; i < search_.components().size(); ++i)
      if (search_.components()[i].reach)
        for (const std::size_t k : showing(i)) level.evidence.push_back(evidence(i, k));
    level.uncertain = level.evidence.size() < 2;
    const CapacityEstimate estimate = mean_place(reaches);
    level.capacity_bytes = std::exp2(estimate.at);
    level.low_bytes = std::exp2(estimate.low);
    level.high_bytes = std::exp2(estimate.high);
    return level;
  }

  GradualRise rise(std::size_t component) const {
    const Place& place = search_.components()[component].place;
    GradualRise rise{.from_bytes = std::exp2(place.at), .to_bytes = std::exp2(place.at + place.width)};
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      const auto& terms = search_.terms_of(k);
      const auto term = std::ranges::find(terms, component, &CurveTerms::Term::component);
      if (term == terms.end()) continue;
      const CurveTerms::Solution solution = curves_[k].solve(terms);
      const double before = curves_[k].time_at(rise.from_bytes, terms, solution);
      const double more = solution.added[static_cast<std::size_t>(term - terms.begin()) + 1];
      const double after = curves_[k].unscaled(std::pow(before, curves_[k].norm()) + more);
      rise.curves.push_back(used_[k]);
      rise.most_relative = std::max(rise.most_relative, after / before - 1);
    }
    return rise;
  }

  ExplainedCurve explained(std::size_t k) const {
    const CurveTerms& curve = curves_[k];
    const auto& terms = search_.terms_of(k);
    const CurveTerms::Solution solution = curve.solve(terms);
    ExplainedCurve explained{.norm = curve.norm(),
                             .base_ns = curve.unscaled(solution.added[0]),
                             .cost_ns = curve.limit().cost_ns,
                             .reach_bytes = curve.limit().reach_bytes};
    for (std::size_t i = 0; i < terms.size(); ++i)
      explained.terms.push_back({.at = terms[i].place.at,
                                 .width = terms[i].place.width,
                                 .misses = terms[i].misses,
                                 .added_ns = curve.unscaled(solution.added[i + 1])});
    double squares = 0;
    for (std::size_t i = 0; i < curve.points(); ++i) {
      const double off = explained.time_at(curve.footprints()[i]) / curve.times()[i] - 1;
      squares += off * off / static_cast<double>(curve.points());
    }
    explained.relative_error = std::sqrt(squares);
    return explained;
  }

  std::span<const LevelCurve> given_;
  std::span<const std::size_t> used_;
  std::span<const CurveTerms> curves_;
  const LevelSearch& search_;
};

}  // namespace

double ExplainedCurve::time_at(double footprint_bytes) const {
  double sum = std::pow(base_ns, norm);
  for (const Term& term : terms)
    sum += std::pow(
        term.added_ns * missed({.at = term.at, .width = term.width}, term.misses, footprint_bytes), norm);
  const double time = std::pow(sum, 1 / norm);
  return std::max(time, TranslationLimit{.reach_bytes = reach_bytes, .cost_ns = cost_ns}.at(footprint_bytes));
}

LevelsFit fit_levels(std::span<const LevelCurve> given, const LevelOptions& options) {
  check_points(given);
  std::vector<std::size_t> used;
  std::vector<CurveTerms> curves;
  std::size_t points = 0;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k].points.size() < CurveTerms::kFewestPoints) continue;
    curves.emplace_back(given[k], options);
    used.push_back(k);
    points += given[k].points.size();
  }
  if (curves.empty()) return {.curves = std::vector<ExplainedCurve>(given.size())};
  const auto limit = options.with_translation ? find_translation(curves) : std::nullopt;
  std::vector<CurveTerms> limited = curves;
  const LevelSearch plain = searched(curves, std::nullopt);
  if (limit) {
    for (CurveTerms& curve : limited) curve.set_limit(*limit);
    const LevelSearch beside = searched(limited, limit->reach_bytes);
    if (beside.total() + std::log(static_cast<double>(points)) < plain.total())
      return Description(given, used, limited, beside).fit(limit);
  }
  return Description(given, used, curves, plain).fit(std::nullopt);
}

}  // namespace gpuseq::probes
