#include "probes/levels/level_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gpuseq::probes {
namespace {

constexpr std::size_t kMostComponents = CurveTerms::kMostTerms - 3;
constexpr double kCoarse = 0.25, kFine = 1.0 / 64;  // octaves between candidates
constexpr double kLeastLevel = 0.2;                 // least change on the curve that shows a level best
constexpr double kMoves = 0.75;                     // octaves to either side per move
constexpr std::array kRiseWidths{4.0, 6.0, 8.0};    // octaves
constexpr int kMostRounds = 6;
constexpr int kAtOnce = 3;        // levels that may be added before any must be worth its parameters
constexpr double kEnough = 1e-6;  // least gain of the criterion, so that rounding does not cause cycles

}  // namespace

LevelSearch::LevelSearch(std::span<const CurveTerms> curves, std::optional<double> reach)
    : curves_(curves), terms_(curves.size()) {
  first_ = std::numeric_limits<double>::infinity();
  last_ = -first_;
  for (const CurveTerms& curve : curves_) {
    first_ = std::min(first_, curve.first());
    last_ = std::max(last_, curve.last());
    points_ += static_cast<double>(curve.points());
  }
  recount();
  if (!reach) return;
  components_.push_back({.place = {.at = std::log2(*reach)}, .reach = true});
  Trials trials = trials_without(0);
  put(0, trials, components_[0].place);
}

double LevelSearch::penalty(const Place& place) const {
  return (place.gradual() ? 2 : 1) * std::log(points_);
}

void LevelSearch::recount() {
  total_ = 0;
  for (std::size_t k = 0; k < curves_.size(); ++k) total_ += curves_[k].score(terms_[k]);
  for (const Component& component : components_) total_ += penalty(component.place);
}

LevelSearch::Trials LevelSearch::trials_without(std::size_t component) const {
  Trials trials;
  trials.of_curve.reserve(curves_.size());
  for (std::size_t k = 0; k < curves_.size(); ++k) {
    std::vector<CurveTerms::Term> others = terms_[k];
    std::erase_if(others, [&](const CurveTerms::Term& term) { return term.component == component; });
    trials.of_curve.emplace_back(curves_[k], others);
  }
  return trials;
}

LevelSearch::Choice LevelSearch::choose(CurveTerms::Trial& trial, std::size_t curve, std::size_t component,
                                        const Place& place, bool must) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  Choice best{.score = must ? kNever : trial.without(), .misses = std::nullopt};
  const bool reach = component < components_.size() && components_[component].reach;
  if (reach && curves_[curve].limit().cost_ns > 0) return best;
  for (const Misses misses : {Misses::evenly, Misses::octave, Misses::at_once}) {
    const double score = trial.with({.component = component, .misses = misses, .place = place});
    if (score < best.score) best = {score, misses, trial.change()};
    if (place.gradual()) break;
  }
  return best;
}

double LevelSearch::total_at(Trials& trials, std::size_t component, const Place& place) const {
  double total = penalty(place);
  for (std::size_t i = 0; i < components_.size(); ++i)
    if (i != component) total += penalty(components_[i].place);
  double most = 0;
  for (std::size_t k = 0; k < curves_.size(); ++k) {
    const Choice choice = choose(trials.of_curve[k], k, component, place);
    total += choice.score;
    most = std::max(most, choice.change);
  }
  return place.gradual() || most >= kLeastLevel ? total : std::numeric_limits<double>::infinity();
}

bool LevelSearch::allowed(std::size_t component, const Place& place) const {
  if (place.at < first_ || place.at > last_) return false;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const Place& other = components_[i].place;
    if (i == component || other.gradual() != place.gradual()) continue;
    if (std::abs(other.at - place.at) < (place.gradual() ? place.width : kApart)) return false;
  }
  return true;
}

Place LevelSearch::best_place(Trials& trials, std::size_t component, Range range, double& total) const {
  Place best;
  total = std::numeric_limits<double>::infinity();
  const auto take = [&](const Place& place) {
    if (!allowed(component, place)) return;
    const double here = total_at(trials, component, place);
    if (here < total) total = here, best = place;
  };
  for (int i = 0; range.low + i * kCoarse < range.high; ++i) take({.at = range.low + i * kCoarse});
  for (const double width : kRiseWidths)
    for (int i = 0;; i += 4) {
      const double at = range.low + i * kCoarse;
      if (at >= range.high || at + width / 2 >= last_) break;
      take({.at = at, .width = width});
    }
  for (double step = kCoarse / 2; step >= kFine && std::isfinite(total); step /= 2) {
    const Place middle = best;
    for (const double off : {-step, step}) take({.at = middle.at + off, .width = middle.width});
  }
  return best;
}

void LevelSearch::put(std::size_t component, Trials& trials, const Place& place) {
  if (component == components_.size()) components_.push_back({});
  components_[component].place = place;
  for (std::size_t k = 0; k < curves_.size(); ++k) {
    const Choice choice = choose(trials.of_curve[k], k, component, place);
    std::erase_if(terms_[k], [&](const CurveTerms::Term& term) { return term.component == component; });
    if (choice.misses)
      terms_[k].push_back({.component = component, .misses = *choice.misses, .place = place});
  }
  recount();
}

bool LevelSearch::add() {
  if (components_.size() >= kMostComponents) return false;
  const std::size_t component = components_.size();
  Trials trials = trials_without(component);
  double total = 0;
  const Place place = best_place(trials, component, {first_, last_}, total);
  if (!std::isfinite(total)) return false;
  put(component, trials, place);
  return true;
}

/// Selects the levels that a curve shows again, as earlier selections may be due to places that changed.
void LevelSearch::reselect(std::size_t curve) {
  std::vector<CurveTerms::Term> terms, best = terms_[curve];
  double least = curves_[curve].score(best);
  for (std::size_t step = 0; step < components_.size() && terms.size() < components_.size(); ++step) {
    CurveTerms::Trial trial(curves_[curve], terms);
    Choice next{.score = std::numeric_limits<double>::infinity(), .misses = std::nullopt};
    std::size_t which = 0;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      if (std::ranges::find(terms, i, &CurveTerms::Term::component) != terms.end()) continue;
      const Choice choice = choose(trial, curve, i, components_[i].place, true);
      if (choice.misses && choice.score < next.score) next = choice, which = i;
    }
    if (!next.misses) break;
    terms.push_back({.component = which, .misses = *next.misses, .place = components_[which].place});
    // Removes terms that others now explain.
    for (std::size_t i = 0; i + 1 < terms.size();) {
      std::vector<CurveTerms::Term> others = terms;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const double score = curves_[curve].score(others);
      if (score >= next.score) {
        ++i;
        continue;
      }
      next.score = score;
      terms = std::move(others);
    }
    if (next.score < least - kEnough)
      least = next.score, best = terms;
    else if (terms.size() > best.size() + 1)
      break;
  }
  terms_[curve] = std::move(best);
}

/// Moves every component to its best place, and lets each curve select again; returns whether that helped.
bool LevelSearch::move() {
  const double before = total_;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    Trials trials = trials_without(i);
    const double at = components_[i].place.at;
    double total = 0;
    const Place place = components_[i].reach ? components_[i].place
                                             : best_place(trials, i, {at - kMoves, at + kMoves}, total);
    const LevelSearch saved = *this;
    if (components_[i].reach || std::isfinite(total)) put(i, trials, place);
    if (total_ > saved.total_) *this = saved;
  }
  for (std::size_t k = 0; k < curves_.size(); ++k) reselect(k);
  recount();
  return total_ < before - kEnough;
}

/// Drops the component that is worth least, if it is not worth its parameters.
bool LevelSearch::drop() {
  std::size_t worst = components_.size();
  double least = total_;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    if (components_[i].reach) continue;
    double total = total_ - penalty(components_[i].place);
    for (std::size_t k = 0; k < curves_.size(); ++k)
      total += score_without(i, k) - curves_[k].score(terms_[k]);
    if (total < least) least = total, worst = i;
  }
  if (worst == components_.size()) return false;
  erase(worst);
  return true;
}

void LevelSearch::erase(std::size_t component) {
  components_.erase(components_.begin() + static_cast<std::ptrdiff_t>(component));
  for (auto& terms : terms_) {
    std::erase_if(terms, [&](const CurveTerms::Term& term) { return term.component == component; });
    for (CurveTerms::Term& term : terms)
      if (term.component > component) --term.component;
  }
  recount();
}

void LevelSearch::settle() {
  for (int round = 0; round < kMostRounds; ++round) {
    const bool moved = move(), dropped = drop();
    if (!moved && !dropped) return;
  }
}

void LevelSearch::remove(std::size_t component) {
  erase(component);
  settle();
}

LevelSearch LevelSearch::with(std::span<const CurveTerms> curves) const {
  LevelSearch other = *this;
  other.curves_ = curves;
  other.recount();
  other.settle();
  return other;
}

void LevelSearch::run() {
  LevelSearch best = *this;
  for (int failures = 0; failures < 2 && add();) {
    settle();
    failures = total_ < best.total_ - kEnough ? 0 : failures + 1;
    if (failures == 0) best = *this;
  }
  // In a curve with several steps, one step alone may not be worth its parameters, because the others remain.
  for (bool better = true; better;) {
    *this = best;
    for (int more = 0; more < kAtOnce && add(); ++more) move();
    settle();
    better = total_ < best.total_ - kEnough;
    if (better) best = *this;
  }
  *this = best;
}

std::vector<double> LevelSearch::scores_at(std::size_t component, const Place& place) const {
  Trials trials = trials_without(component);
  std::vector<double> scores;
  scores.reserve(curves_.size());
  for (std::size_t k = 0; k < curves_.size(); ++k)
    scores.push_back(choose(trials.of_curve[k], k, component, place).score);
  return scores;
}

double LevelSearch::score_without(std::size_t component, std::size_t curve) const {
  std::vector<CurveTerms::Term> others = terms_[curve];
  std::erase_if(others, [&](const CurveTerms::Term& term) { return term.component == component; });
  return curves_[curve].score(others);
}

}  // namespace gpuseq::probes
