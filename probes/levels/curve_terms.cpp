#include "probes/levels/curve_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gpuseq::probes {
namespace {

constexpr double kModelError = 0.015;    // least assumed relative error of a model of a curve
constexpr double kIndependent = 0.5;     // neighbouring footprints share half of their error
constexpr double kOtherShape = 3;        // penalty of a shape that does not fit the order of accesses
constexpr double kTermPenalty = 3;       // in addition to the logarithm of the number of points
constexpr double kAloneRelative = 0.05;  // deviation of a point from both its neighbours
constexpr double kBeforeOctave = 0.25, kBeforeAtOnce = 0.5;  // shares missed at the capacity itself
constexpr double kMostRise = 0.3;  // relative limit of a gradual rise; a larger rise is a level
constexpr double kDoubtful = 2.5, kDeviationOfMedian = 1.48;  // in standard deviations; of a median
constexpr double kLimited = 0.92;                             // a point above this share of its limit
                                                              // belongs to the limit

/// Weights of points: a point that differs from both its neighbours, in a curve with few such points,
/// has little weight.
std::vector<double> weights_against_outliers(std::span<const double> times) {
  std::vector<double> off(times.size());
  for (std::size_t i = 1; i + 1 < times.size(); ++i) {
    const double middle = std::max(std::min(times[i - 1], times[i + 1]),
                                   std::min(times[i], std::max(times[i - 1], times[i + 1])));
    off[i] = std::abs(std::log(times[i] / middle));
  }
  const double usual = std::max(kAloneRelative, 4 * median(off));
  for (double& value : off) value = value <= usual ? 1 : usual / value;
  return off;
}

using Matrix = std::array<std::array<double, CurveTerms::kMostTerms>, CurveTerms::kMostTerms>;
using Vector = std::array<double, CurveTerms::kMostTerms>;

/// Solves the equations of the chosen unknowns, with 0 for the others; false if they are linearly dependent.
bool solve_chosen(const Matrix& gram, const Vector& right, std::span<const std::size_t> chosen,
                  Vector& solution) {
  Matrix factor;
  Vector value;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double v = gram[chosen[i]][chosen[j]];
      for (std::size_t k = 0; k < j; ++k) v -= factor[i][k] * factor[j][k];
      if (j < i) {
        factor[i][j] = v / factor[j][j];
        continue;
      }
      if (v <= 1e-9 * gram[chosen[i]][chosen[i]]) return false;
      factor[i][i] = std::sqrt(v);
    }
    double v = right[chosen[i]];
    for (std::size_t k = 0; k < i; ++k) v -= factor[i][k] * value[k];
    value[i] = v / factor[i][i];
  }
  solution.fill(0);
  for (std::size_t i = chosen.size(); i-- > 0;) {
    double v = value[i];
    for (std::size_t k = i + 1; k < chosen.size(); ++k) v -= factor[k][i] * solution[chosen[k]];
    solution[chosen[i]] = v / factor[i][i];
  }
  return true;
}

/// Least squares without negative unknowns: drops the most negative unknown until there is none. Returns the
/// explained part of the squared right side, or less than 0 if the equations are linearly dependent.
double solve_positive(const Matrix& gram, const Vector& right, std::size_t unknowns, Vector& solution) {
  std::array<std::size_t, CurveTerms::kMostTerms> chosen;
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::size_t size = unknowns;
  while (size > 0) {
    if (!solve_chosen(gram, right, {chosen.data(), size}, solution)) return -1;
    const auto least =
        std::min_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size),
                         [&](std::size_t a, std::size_t b) { return solution[a] < solution[b]; });
    if (solution[*least] >= 0) break;
    std::move(least + 1, chosen.begin() + static_cast<std::ptrdiff_t>(size), least);
    --size;
  }
  double explained = 0;
  for (std::size_t i = 0; i < size; ++i) explained += solution[chosen[i]] * right[chosen[i]];
  return explained;
}

}  // namespace

double missed(const Place& place, Misses misses, double footprint_bytes) {
  if (place.gradual()) return std::clamp((std::log2(footprint_bytes) - place.at) / place.width, 0.0, 1.0);
  switch (misses) {
    case Misses::evenly:
      return std::max(0.0, 1 - std::exp2(place.at) / footprint_bytes);
    case Misses::octave:
      return std::clamp(std::log2(footprint_bytes) - place.at + kBeforeOctave, 0.0, 1.0);
    case Misses::at_once:
      return std::clamp(4 * (std::log2(footprint_bytes) - place.at) + kBeforeAtOnce, 0.0, 1.0);
  }
  return 0;
}

double TranslationLimit::at(double footprint_bytes) const {
  return footprint_bytes <= reach_bytes ? 0 : cost_ns * (1 - reach_bytes / footprint_bytes);
}

CurveTerms::CurveTerms(const LevelCurve& curve, const LevelOptions& options)
    : curve_(&curve), options_(options), points_(curve.points.size()) {
  for (const CurvePoint& point : curve.points) {
    footprints_.push_back(point.footprint_bytes);
    x_.push_back(std::log2(point.footprint_bytes));
    times_.push_back(point.level());
    scale_.push_back(1 / std::pow(times_.back(), options.norm));
  }
  robust_ = points_ < 3 ? std::vector<double>(points_, 1.0) : weights_against_outliers(times_);
  set_limit({});
}

void CurveTerms::set_limit(const TranslationLimit& limit) {
  limit_ = curve_->one_at_a_time ? TranslationLimit{} : limit;
  weights_ = robust_;
  limit_squares_ = 0;
  total_weight_ = 0;
  for (std::size_t i = 0; i < points_; ++i) {
    const double ratio = limit_.at(footprints_[i]) / times_[i];
    total_weight_ += robust_[i];
    if (ratio < kLimited) continue;
    weights_[i] = 0;
    limit_squares_ += robust_[i] * (ratio - 1) * (ratio - 1);
  }
}

void CurveTerms::column(const Term* term, double* out) const {
  if (term == nullptr) {
    std::copy(scale_.begin(), scale_.end(), out);
    return;
  }
  const double capacity = std::exp2(term->place.at);
  for (std::size_t i = 0; i < points_; ++i) {
    double share = 0;
    if (term->place.gradual())
      share = std::clamp((x_[i] - term->place.at) / term->place.width, 0.0, 1.0);
    else if (term->misses == Misses::evenly)
      share = std::max(0.0, 1 - capacity / footprints_[i]);
    else
      share = term->misses == Misses::octave
                  ? std::clamp(x_[i] - term->place.at + kBeforeOctave, 0.0, 1.0)
                  : std::clamp(4 * (x_[i] - term->place.at) + kBeforeAtOnce, 0.0, 1.0);
    out[i] = (options_.norm == 1 ? share : std::pow(share, options_.norm)) * scale_[i];
  }
}

double CurveTerms::dot(const double* a, const double* b) const {
  // Four sums, as the compiler may not split one.
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= points_; i += 4)
    for (std::size_t j = 0; j < 4; ++j) sums[j] += weights_[i + j] * a[i + j] * b[i + j];
  for (; i < points_; ++i) sums[0] += weights_[i] * a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double CurveTerms::score(double squares, std::span<const Term> terms) const {
  const double n = total_weight_;
  // Residuals of time^norm are norm times those of time.
  const double mean = (squares / (options_.norm * options_.norm) + limit_squares_) / n;
  double penalty = 0;
  for (const Term& term : terms) {
    penalty += std::log(n) + kTermPenalty;
    const bool expected = (curve_->order == AccessOrder::random) == (term.misses == Misses::evenly);
    if (!expected && !term.place.gradual()) penalty += kOtherShape;
  }
  return kIndependent * n * std::log(kModelError * kModelError + mean) + penalty;
}

CurveTerms::Trial::Trial(const CurveTerms& curve, std::span<const Term> fixed)
    : curve_(curve), terms_(fixed.begin(), fixed.end()) {
  const std::size_t n = curve.points_, size = terms_.size() + 1;
  columns_.resize((size + 1) * n);
  const std::vector<double> ones(n, 1.0);
  for (std::size_t i = 0; i < size; ++i) {
    curve.column(i == 0 ? nullptr : &terms_[i - 1], &columns_[i * n]);
    right_[i] = curve.dot(&columns_[i * n], ones.data());
    for (std::size_t j = 0; j <= i; ++j)
      gram_[i][j] = gram_[j][i] = curve.dot(&columns_[i * n], &columns_[j * n]);
  }
  without_ = curve.score(terms_);
}

double CurveTerms::Trial::with(const Term& term) {
  constexpr double kImpossible = std::numeric_limits<double>::infinity();
  const std::size_t n = curve_.points_, last = terms_.size() + 1;
  if (last >= kMostTerms || term.place.at < curve_.x_.front() - 0.5 || term.place.at > curve_.x_.back())
    return kImpossible;
  double* column = &columns_[last * n];
  curve_.column(&term, column);
  right_[last] = 0;
  for (std::size_t i = 0; i < n; ++i) right_[last] += curve_.weights_[i] * column[i];
  for (std::size_t j = 0; j <= last; ++j)
    gram_[last][j] = gram_[j][last] = curve_.dot(column, &columns_[j * n]);
  Vector added;
  const double explained = solve_positive(gram_, right_, last + 1, added);
  if (explained < 0 || added[last] <= 0) return kImpossible;
  const double square = std::accumulate(curve_.weights_.begin(), curve_.weights_.end(), 0.0);
  change_ = curve_.change_of(term, {added.data(), last + 1}, terms_);
  if (!curve_.shows(term, change_)) return kImpossible;
  terms_.push_back(term);
  const double score = curve_.score(std::max(0.0, square - explained), terms_);
  terms_.pop_back();
  return score;
}

/// The relative change at the curve's end by the last of `added`, compared with the time at its place.
double CurveTerms::change_of(const Term& term, std::span<const double> added,
                             std::span<const Term> others) const {
  const double at = std::exp2(term.place.at);
  double before = added[0];
  for (std::size_t i = 0; i < others.size(); ++i)
    before += added[i + 1] * std::pow(missed(others[i].place, others[i].misses, at), options_.norm);
  const double more =
      added.back() * std::pow(missed(term.place, term.misses, footprints_.back()), options_.norm);
  return std::pow((before + more) / before, 1 / options_.norm) - 1;
}

/// Whether a change is large enough, at more than the last point.
bool CurveTerms::shows(const Term& term, double change) const {
  if (term.place.gradual() && change > kMostRise) return false;
  const auto beyond = std::ranges::count_if(
      footprints_, [&](double footprint) { return missed(term.place, term.misses, footprint) > 0.05; });
  return change >= (beyond < 2 ? 2 : 1) * options_.min_relative_change;
}

CurveTerms::Solution CurveTerms::solve(std::span<const Term> terms) const {
  const std::size_t n = points_, size = terms.size() + 1;
  std::vector<double> columns(size * n);
  Matrix gram = {};
  Vector right = {}, added = {};
  for (std::size_t i = 0; i < size; ++i) {
    column(i == 0 ? nullptr : &terms[i - 1], &columns[i * n]);
    for (std::size_t p = 0; p < n; ++p) right[i] += weights_[p] * columns[i * n + p];
    for (std::size_t j = 0; j <= i; ++j) gram[i][j] = gram[j][i] = dot(&columns[i * n], &columns[j * n]);
  }
  const double square = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const double explained = solve_positive(gram, right, size, added);
  Solution solution;
  // The last term is linearly dependent on the others, and gets 0.
  if (explained < 0 && !terms.empty()) {
    solution = solve(terms.first(terms.size() - 1));
    solution.added.push_back(0);
    return solution;
  }
  solution.added.assign(added.begin(), added.begin() + static_cast<std::ptrdiff_t>(size));
  solution.squares = std::max(0.0, square - explained);
  return solution;
}

double CurveTerms::unscaled(double sum) const {
  return options_.norm == 1 ? sum : std::pow(sum, 1 / options_.norm);
}

void CurveTerms::doubt(std::span<const Term> terms) {
  const Solution solution = solve(terms);
  std::vector<double> off(points_);
  for (std::size_t i = 0; i < points_; ++i)
    off[i] = std::abs(time_at(footprints_[i], terms, solution) / times_[i] - 1);
  const double usual = kDoubtful * std::max(kModelError, kDeviationOfMedian * median(off));
  for (std::size_t i = 0; i < points_; ++i) robust_[i] *= off[i] <= usual ? 1 : usual / off[i];
  set_limit(limit_);
}

double CurveTerms::time_at(double footprint_bytes, std::span<const Term> terms,
                           const Solution& solution) const {
  double sum = solution.added[0];
  for (std::size_t i = 0; i < terms.size(); ++i)
    sum += solution.added[i + 1] *
           std::pow(missed(terms[i].place, terms[i].misses, footprint_bytes), options_.norm);
  return std::max(unscaled(sum), limit_.at(footprint_bytes));
}

}  // namespace gpuseq::probes
