#include "probes/levels/resampled.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>

#include "probes/resampling.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

constexpr double kLeftOver = 1;  // octaves: distance for a place without a partner
constexpr double kSure = 0.8;    // least share of fits with a level that is certain
constexpr double kTail = 0.025;  // share of fits on either side of a 95 % interval

std::vector<LevelCurve> resampled(std::span<const LevelCurve> curves, const ResampleOptions& options,
                                  std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<LevelCurve> drawn(curves.begin(), curves.end());
  for (LevelCurve& curve : drawn)
    for (CurvePoint& point : curve.points) {
      const double time =
          bootstrapped_median(point.values(), random) * std::exp(options.model_error * normal(random));
      point.samples = point.passes = {time};
    }
  return drawn;
}

std::vector<double> places_of(const LevelsFit& fit) {
  std::vector<double> places;
  places.reserve(fit.levels.size());
  for (const MemoryLevel& level : fit.levels) places.push_back(std::log2(level.capacity_bytes));
  return places;
}

/// The fit that is nearest to all others; the first of equal ones.
std::size_t middle_of(std::span<const std::vector<double>> places) {
  std::size_t middle = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < places.size(); ++i) {
    double sum = 0;
    for (const std::vector<double>& other : places) sum += align_places(places[i], other).distance;
    if (sum < least) least = sum, middle = i;
  }
  return middle;
}

/// Merges the estimates of all fits into a level of the middle one.
void join(MemoryLevel& level, std::span<const MemoryLevel* const> same, std::size_t fits) {
  std::vector<double> places;
  std::size_t certain = 0, of_translation = 0;
  for (const MemoryLevel* one : same) {
    places.push_back(std::log2(one->capacity_bytes));
    certain += !one->uncertain;
    of_translation += one->kind == LevelKind::translation;
  }
  std::ranges::sort(places);
  const auto last = static_cast<double>(places.size() - 1);
  const double low = places[static_cast<std::size_t>(std::floor(kTail * last))];
  const double high = places[static_cast<std::size_t>(std::ceil((1 - kTail) * last))];
  level.capacity_bytes = std::exp2(median(places));
  level.low_bytes = std::min(level.low_bytes, std::exp2(low));
  level.high_bytes = std::max(level.high_bytes, std::exp2(high));
  level.kind = 2 * of_translation > same.size() ? LevelKind::translation : LevelKind::cache;
  level.found_in = static_cast<double>(same.size()) / static_cast<double>(fits);
  level.uncertain = level.found_in < kSure || 2 * certain < same.size() ||
                    std::log2(level.high_bytes / level.low_bytes) > kWideInterval;
}

/// Computes the errors of a fit of resampled curves on the original curves.
void state_errors(LevelsFit& fit, std::span<const LevelCurve> curves) {
  for (std::size_t k = 0; k < curves.size(); ++k) {
    double squares = 0;
    for (const CurvePoint& point : curves[k].points) {
      const double off = fit.curves[k].time_at(point.footprint_bytes) / point.level() - 1;
      squares += off * off / static_cast<double>(curves[k].points.size());
    }
    if (fit.curves[k].base_ns > 0) fit.curves[k].relative_error = std::sqrt(squares);
  }
}

}  // namespace

Alignment align_places(std::span<const double> a, std::span<const double> b) {
  // Distances of the remainders of both lists from a place on.
  const std::size_t columns = b.size() + 1;
  std::vector<double> rest((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return rest[i * columns + j]; };
  const auto same = [&](std::size_t i, std::size_t j) {
    const double apart = std::abs(a[i] - b[j]);
    return apart < kLeftOver ? apart + at(i + 1, j + 1) : std::numeric_limits<double>::infinity();
  };
  for (std::size_t i = a.size() + 1; i-- > 0;)
    for (std::size_t j = b.size() + 1; j-- > 0;) {
      if (i == a.size() || j == b.size()) {
        at(i, j) = kLeftOver * static_cast<double>(a.size() - i + b.size() - j);
        continue;
      }
      at(i, j) = std::min({same(i, j), kLeftOver + at(i + 1, j), kLeftOver + at(i, j + 1)});
    }
  Alignment alignment{.of_a = std::vector<int>(a.size(), -1), .distance = at(0, 0)};
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (same(i, j) <= at(i, j))
      alignment.of_a[i++] = static_cast<int>(j++);
    else if (kLeftOver + at(i + 1, j) <= at(i, j))
      ++i;
    else
      ++j;
  }
  return alignment;
}

LevelsFit fit_levels_resampled(std::span<const LevelCurve> curves, const ResampleOptions& options) {
  std::vector<LevelsFit> fits(static_cast<std::size_t>(options.fits) + 1);
  fits[0] = fit_levels(curves, options.levels);
  ThreadPool(0, false).parallel_for(fits.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      fits[i + 1] = fit_levels(resampled(curves, options, options.seed * 1000003 + i), options.levels);
  });
  std::vector<std::vector<double>> places;
  places.reserve(fits.size());
  for (const LevelsFit& fit : fits) places.push_back(places_of(fit));
  const std::size_t middle = middle_of(places);
  LevelsFit fit = fits[middle];
  std::vector<std::vector<const MemoryLevel*>> same(fit.levels.size());
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const Alignment alignment = align_places(places[middle], places[i]);
    for (std::size_t level = 0; level < same.size(); ++level)
      if (const int found = alignment.of_a[level]; found >= 0)
        same[level].push_back(&fits[i].levels[static_cast<std::size_t>(found)]);
  }
  for (std::size_t level = 0; level < same.size(); ++level) join(fit.levels[level], same[level], fits.size());
  state_errors(fit, curves);
  return fit;
}

}  // namespace gpuseq::probes
