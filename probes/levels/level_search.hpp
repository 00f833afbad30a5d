#pragma once

#include <optional>
#include <span>
#include <vector>

#include "probes/levels/curve_terms.hpp"

namespace gpuseq::probes {

/// The search for the levels that explain all curves: adds the place that helps most, moves existing ones,
/// and drops those that are not worth their parameters.
class LevelSearch {
 public:
  static constexpr double kApart = 0.75;  // least octaves between two levels
  struct Component {
    Place place;
    bool reach = false;  // TLB reach found by the limit: fixed, and for latencies only
  };

  LevelSearch(std::span<const CurveTerms> curves, std::optional<double> reach);

  void run();
  /// The same levels for curves with other weights, settled.
  LevelSearch with(std::span<const CurveTerms> curves) const;
  /// Removes a component and settles the others.
  void remove(std::size_t component);

  double total() const { return total_; }
  const std::vector<Component>& components() const { return components_; }
  const std::vector<CurveTerms::Term>& terms_of(std::size_t curve) const { return terms_[curve]; }

  /// Criterion of each curve with a component at another place and all others fixed.
  std::vector<double> scores_at(std::size_t component, const Place& place) const;
  /// Criterion of a curve without one of the components.
  double score_without(std::size_t component, std::size_t curve) const;

 private:
  struct Choice {
    double score = 0;
    std::optional<Misses> misses;  // none: the curve does not show it
    double change = 0;             // relative
  };
  struct Trials {
    std::vector<CurveTerms::Trial> of_curve;
  };

  Trials trials_without(std::size_t component) const;
  /// Whether and how a curve shows a component; `must`: it does if possible.
  Choice choose(CurveTerms::Trial& trial, std::size_t curve, std::size_t component, const Place& place,
                bool must = false) const;
  double total_at(Trials& trials, std::size_t component, const Place& place) const;
  bool allowed(std::size_t component, const Place& place) const;
  double penalty(const Place& place) const;
  struct Range {
    double low, high;  // log2 bytes
  };
  Place best_place(Trials& trials, std::size_t component, Range range, double& total) const;
  void put(std::size_t component, Trials& trials, const Place& place);
  void reselect(std::size_t curve);
  bool add();
  void settle();
  bool move();
  bool drop();
  void erase(std::size_t component);
  void recount();

  std::span<const CurveTerms> curves_;
  std::vector<Component> components_;
  std::vector<std::vector<CurveTerms::Term>> terms_;  // by curve
  double first_ = 0, last_ = 0;                       // log2 of all footprints
  double points_ = 0;
  double total_ = 0;
};

}  // namespace gpuseq::probes
