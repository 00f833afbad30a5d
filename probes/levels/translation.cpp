#include "probes/levels/translation.hpp"

#include <algorithm>
#include <cmath>

namespace gpuseq::probes {
namespace {

constexpr double kLimitAgrees = 0.10;       // relative agreement of curves on a limit
constexpr double kSlower = 1.15;            // time beyond the reach relative to the time before
constexpr double kTellsBlocksApart = 1.15;  // ratio of times before the reach that distinguishes block sizes
constexpr std::size_t kFewestLimited = 2;   // points of a curve beyond the reach

/// Sums for the line time = cost - slope / footprint, by relative residuals.
struct Line {
  double ww = 0, wu = 0, uu = 0, w = 0, u = 0;
  void add(double footprint, double time) {
    const double a = 1 / time, b = -1 / (footprint * time);
    ww += a * a, wu += a * b, uu += b * b, w += a, u += b;
  }
  std::optional<TranslationLimit> limit() const {
    const double determinant = ww * uu - wu * wu;
    if (determinant <= 1e-12 * ww * uu) return std::nullopt;
    const double cost = (w * uu - u * wu) / determinant, slope = (ww * u - wu * w) / determinant;
    if (cost <= 0 || slope <= 0) return std::nullopt;
    return TranslationLimit{.reach_bytes = slope / cost, .cost_ns = cost};
  }
};

/// Points at the curve's end that the limit explains.
std::size_t limited_points(const CurveTerms& curve, const TranslationLimit& limit) {
  std::size_t count = 0;
  for (std::size_t i = curve.points(); i-- > 0; ++count)
    if (std::abs(limit.at(curve.footprints()[i]) / curve.times()[i] - 1) > kLimitAgrees) break;
  return count;
}

/// A limit estimated from the last points of one curve.
std::optional<TranslationLimit> of_last_points(const CurveTerms& curve, std::size_t points) {
  const std::size_t n = curve.points();
  if (curve.curve().one_at_a_time || n < points + 2) return std::nullopt;
  if (curve.times()[n - 1] < kSlower * curve.times()[n - points - 1]) return std::nullopt;
  Line line;
  for (std::size_t i = n - points; i < n; ++i) line.add(curve.footprints()[i], curve.times()[i]);
  return line.limit();
}

/// The estimate of a limit from one curve, if the curve shows it; adds its points to the line.
std::optional<LimitedCurve> limited_curve(std::span<const CurveTerms> curves, std::size_t k,
                                          const TranslationLimit& limit, Line& line) {
  const CurveTerms& curve = curves[k];
  if (curve.curve().one_at_a_time) return std::nullopt;
  const std::size_t n = curve.points(), limited = limited_points(curve, limit);
  if (limited < kFewestLimited || limited == n) return std::nullopt;
  const double before = curve.times()[n - limited - 1];
  if (curve.times()[n - 1] < kSlower * before) return std::nullopt;
  Line own;
  for (std::size_t i = n - limited; i < n; ++i) {
    own.add(curve.footprints()[i], curve.times()[i]);
    line.add(curve.footprints()[i], curve.times()[i]);
  }
  const auto alone = own.limit();
  return LimitedCurve{k, before, alone ? alone->reach_bytes : limit.reach_bytes};
}

struct Support {
  std::size_t curves = 0, points = 0;
  const LevelCurve* fastest = nullptr;
  const LevelCurve* slowest = nullptr;
  double least_before = 0, most_before = 0;
  bool violated = false;  // a curve is faster than the limit allows
  bool enough() const {
    return curves >= 2 && !violated && most_before > kTellsBlocksApart * least_before &&
           fastest->block_bytes != slowest->block_bytes;
  }
};

Support support_of(std::span<const CurveTerms> curves, const TranslationLimit& limit, Line& line) {
  Support support;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const CurveTerms& curve = curves[k];
    if (curve.curve().one_at_a_time) continue;
    const std::size_t limited = limited_points(curve, limit);
    for (std::size_t i = 0; i < curve.points() - limited; ++i)
      support.violated |= limit.at(curve.footprints()[i]) > (1 + 2 * kLimitAgrees) * curve.times()[i];
    const auto own = limited_curve(curves, k, limit, line);
    if (!own) continue;
    if (support.curves == 0 || own->before_ns < support.least_before) {
      support.least_before = own->before_ns;
      support.fastest = &curve.curve();
    }
    if (own->before_ns > support.most_before) {
      support.most_before = own->before_ns;
      support.slowest = &curve.curve();
    }
    ++support.curves;
    support.points += limited;
  }
  return support;
}

}  // namespace

std::optional<TranslationLimit> find_translation(std::span<const CurveTerms> curves) {
  std::optional<TranslationLimit> best;
  std::size_t most = 0;
  for (const CurveTerms& curve : curves)
    for (const std::size_t points : {2, 3, 4, 6}) {
      std::optional<TranslationLimit> limit = of_last_points(curve, points);
      // Fits the line to all curves that agree, and determines the agreeing curves again.
      for (int round = 0; limit && round < 4; ++round) {
        Line line;
        const bool agreed = support_of(curves, *limit, line).curves >= 2;
        limit = agreed ? line.limit() : std::nullopt;
      }
      if (!limit) continue;
      Line line;
      const Support support = support_of(curves, *limit, line);
      if (!support.enough() || support.points <= most) continue;
      most = support.points;
      best = limit;
    }
  return best;
}

std::vector<LimitedCurve> limited_curves(std::span<const CurveTerms> curves, const TranslationLimit& limit) {
  std::vector<LimitedCurve> limited;
  Line line;
  for (std::size_t k = 0; k < curves.size(); ++k)
    if (const auto own = limited_curve(curves, k, limit, line)) limited.push_back(*own);
  return limited;
}

}  // namespace gpuseq::probes
