#pragma once

#include <cstddef>
#include <span>
#include <vector>

// The model behind find_knees(): a curve is a base level, perhaps a drift, and a few transitions. The time of
// an access is a sum over the levels of memory, so transitions add; which of them a curve has is chosen by
// the Bayesian information criterion.

namespace gpuseq::probes {

/// How a curve goes from one level to the next over x = log2(footprint).
enum class Shape {
  step,      // between two neighbouring points: a level that is replaced as a whole
  ramp,      // linear in x
  capacity,  // 1 - capacity / footprint: misses of random accesses to a level of that capacity
};

struct Transition {
  Shape shape = Shape::step;
  double from = 0, to = 0;  // log2 bytes; a capacity transition is 7/8 done at `to`
  /// log2 of the footprint to call it by (see Knee::at_bytes).
  double at() const;
  double width() const { return to - from; }
  /// Share of the change that is done at x, 0 to 1.
  double done(double x) const;
};

/// A curve y(x) = level + drift * (x - x0) + sum of change_i * transition_i.done(x).
struct CurveFit {
  double level = 0, drift = 0, x0 = 0;
  std::vector<Transition> transitions;  // sorted by at()
  std::vector<double> changes;
  double mean_square = 0;  // of the residuals in units of the scale
  double bic = 0;
  double at(double x) const;
};

/// Chooses transitions for curves over the same x. The candidates and their products are computed once, so
/// that bootstrap resamples are cheap.
class CurveFitter {
 public:
  /// @param x      log2 footprints, rising, at least five
  /// @param scale  what residuals are relative to at each x: the values, or 1 for logarithms of values
  /// @param min_change  in units of the scale at a transition; smaller transitions are not taken
  CurveFitter(std::span<const double> x, std::span<const double> scale, double min_change);

  /// Best fit of values measured at the same x.
  CurveFit fit(std::span<const double> y, bool with_drift) const;

 private:
  struct Selection;
  double product(std::size_t i, std::size_t j) const { return gram_[i * atoms_ + j]; }
  void add_candidates();
  bool plausible(const Selection& selection) const;
  bool solve(Selection& selection) const;
  bool improve(Selection& selection, std::size_t position) const;
  CurveFit describe(const Selection& selection) const;

  std::vector<double> x_, scale_;
  double min_change_;
  std::vector<Transition> candidates_;  // atom i + 2; atoms 0 and 1 are level and drift
  std::size_t atoms_ = 0;
  std::vector<double> columns_;  // [atom][point], divided by the scale
  std::vector<double> gram_;     // [atom][atom]
};

}  // namespace gpuseq::probes
