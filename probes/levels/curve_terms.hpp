#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "probes/levels/levels.hpp"

// One curve and the terms of its time: the part that fit_levels() solves repeatedly.

namespace gpuseq::probes {

/// The capacity of a level, or the begin and length of a gradual rise.
struct Place {
  double at = 0;     // log2 bytes
  double width = 0;  // octaves of a gradual rise; 0: a level
  bool gradual() const { return width > 0; }
};

/// The share of a term's change at a footprint.
double missed(const Place& place, Misses misses, double footprint_bytes);

/// TLB limit in parallel to memory: an access takes at least cost * (1 - reach / footprint).
struct TranslationLimit {
  double reach_bytes = 0, cost_ns = 0;
  double at(double footprint_bytes) const;
};

/// A curve prepared for fitting: relative weights, without points explained by the TLB limit.
class CurveTerms {
 public:
  static constexpr std::size_t kMostTerms = 12, kFewestPoints = 5;

  struct Term {
    std::size_t component = 0;  // of the device's model
    Misses misses = Misses::evenly;
    Place place;
  };
  struct Solution {
    std::vector<double> added;  // base, then the terms
    double squares = 0;         // weighted, of relative residuals
  };

  CurveTerms(const LevelCurve& curve, const LevelOptions& options);

  /// Excludes the points that the limit explains. A cost of 0 means no limit.
  void set_limit(const TranslationLimit& limit);

  /// Reduces the weights of points that terms explain badly (Huber 1964).
  void doubt(std::span<const Term> terms);

  /// Least squares with terms that only add time.
  Solution solve(std::span<const Term> terms) const;
  /// The criterion of a solution: BIC with the number of independent points.
  double score(double squares, std::span<const Term> terms) const;
  double score(std::span<const Term> terms) const { return score(solve(terms).squares, terms); }

  /// Tries additional terms with fixed ones.
  class Trial {
   public:
    Trial(const CurveTerms& curve, std::span<const Term> fixed);
    /// Criterion with the term added; infinite if the curve cannot show it.
    double with(const Term& term);
    /// Relative change of the curve by the last term that was tried.
    double change() const { return change_; }
    /// Criterion without an additional term.
    double without() const { return without_; }

   private:
    const CurveTerms& curve_;
    std::vector<Term> terms_;
    std::vector<double> columns_;  // [term][point]
    std::array<std::array<double, kMostTerms>, kMostTerms> gram_ = {};
    std::array<double, kMostTerms> right_ = {};
    double without_ = 0, change_ = 0;
  };

  double first() const { return x_.front(); }  // log2 of the footprints
  double last() const { return x_.back(); }
  const LevelCurve& curve() const { return *curve_; }
  std::span<const double> footprints() const { return footprints_; }
  std::span<const double> times() const { return times_; }
  std::size_t points() const { return points_; }
  /// The model's time at a point.
  double time_at(double footprint_bytes, std::span<const Term> terms, const Solution& solution) const;
  double norm() const { return options_.norm; }
  /// Converts a sum of times to the power of the norm into a time.
  double unscaled(double sum) const;
  const TranslationLimit& limit() const { return limit_; }

 private:
  void column(const Term* term, double* out) const;
  double dot(const double* a, const double* b) const;
  double change_of(const Term& term, std::span<const double> added, std::span<const Term> others) const;
  bool shows(const Term& term, double change) const;

  const LevelCurve* curve_;
  LevelOptions options_;
  std::size_t points_ = 0;
  std::vector<double> footprints_, x_, times_, scale_;
  std::vector<double> robust_;   // weights without isolated outliers
  std::vector<double> weights_;  // robust_, but 0 for points at the TLB limit
  double total_weight_ = 0, limit_squares_ = 0;
  TranslationLimit limit_;
};

}  // namespace gpuseq::probes
