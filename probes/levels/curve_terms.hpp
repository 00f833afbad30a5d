#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "probes/levels/levels.hpp"

// One curve and the terms that its time may have: what fit_levels() solves again and again.

namespace gpuseq::probes {

/// Where a level ends, or a gradual rise begins and how long it is.
struct Place {
  double at = 0;     // log2 bytes
  double width = 0;  // octaves of a gradual rise; 0: a level
  bool gradual() const { return width > 0; }
};

/// The share of its change that a term has at a footprint.
double missed(const Place& place, Misses misses, double footprint_bytes);

/// Translation beside memory: cost * (1 - reach / footprint) is the least that an access takes.
struct TranslationLimit {
  double reach_bytes = 0, cost_ns = 0;
  double at(double footprint_bytes) const;
};

/// A curve made ready: relative weights, points that are left to translation.
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

  /// Points that the limit explains are left to it. The limit is none if its cost is 0.
  void set_limit(const TranslationLimit& limit);

  /// Points that terms explain badly count less from now on, as Huber has it (1964).
  void doubt(std::span<const Term> terms);

  /// Least squares with terms that only add.
  Solution solve(std::span<const Term> terms) const;
  /// The criterion of a solution: BIC with as many points as are independent.
  double score(double squares, std::span<const Term> terms) const;
  double score(std::span<const Term> terms) const { return score(solve(terms).squares, terms); }

  /// Tries terms beside fixed ones.
  class Trial {
   public:
    Trial(const CurveTerms& curve, std::span<const Term> fixed);
    /// Criterion with one more term; infinite if the curve cannot show it.
    double with(const Term& term);
    /// By how much the last term that was tried changes the curve, relative.
    double change() const { return change_; }
    /// Criterion without.
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
  /// What the model has at a point.
  double time_at(double footprint_bytes, std::span<const Term> terms, const Solution& solution) const;
  double norm() const { return options_.norm; }
  /// A time of a sum of times to the power of the norm.
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
  std::vector<double> robust_;   // weights against points that stand alone
  std::vector<double> weights_;  // the same, 0 where translation limits
  double total_weight_ = 0, limit_squares_ = 0;
  TranslationLimit limit_;
};

}  // namespace gpuseq::probes
