#include "probes/load_path_caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

namespace gpuseq::probes {
namespace {

using Points = std::vector<LoadPathPoint>;

constexpr double kSteep = 1.10, kLeastRise = 1.20;

double median_clocks(const Points& points, std::size_t from, std::size_t to) {
  std::vector<double> values;
  for (std::size_t i = from; i <= to; ++i) values.push_back(points[i].clocks);
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// The end of a curve's first level, between two footprints.
std::optional<double> end_of(const std::vector<PathLevel>& levels) {
  if (levels.empty() || !levels.front().served_bytes) return {};
  return std::sqrt(*levels.front().served_bytes * *levels.front().exceeded_bytes);
}

bool is_power_of_two(double bytes) {
  return std::has_single_bit(static_cast<std::uint64_t>(bytes));
}

Shown none(std::string reason) {
  return {.value = {}, .reason = std::move(reason)};
}
Shown shown(double value) {
  return {.value = value, .reason = {}};
}

Shown fetch_of(const Points& points, const PathLevel& first) {
  constexpr double kAllMiss = 0.85;
  double footprint = 0;  // the least footprint that is large enough
  for (const LoadPathPoint& point : points)
    if (point.ascending && point.footprint_bytes >= *first.exceeded_bytes &&
        (footprint == 0 || point.footprint_bytes < footprint))
      footprint = point.footprint_bytes;
  std::map<double, double> more;  // by stride: additional time by misses
  for (const LoadPathPoint& point : points)
    if (point.ascending && point.footprint_bytes == footprint)
      more[point.stride_bytes] = point.clocks - first.clocks;
  if (more.size() < 3) return none("no chains in ascending order through more than the cache holds");
  const double all = more.rbegin()->second;
  if (all <= (kLeastRise - 1) * first.clocks) return none("chains in ascending order miss nothing");
  const auto found = std::ranges::find_if(more, [&](const auto& at) { return at.second >= kAllMiss * all; });
  if (found == more.begin())
    return none(fmt::format("every load misses, also of nodes {} B apart", found->first));
  if (std::next(found) == more.end())
    return none(fmt::format("still more loads miss at a stride of {} B", found->first));
  return shown(found->first);
}

Shown line_of(const std::map<double, std::vector<PathLevel>>& by_stride, double end) {
  constexpr double kLeastRatio = 1.3, kMostOff = 0.4;  // octaves
  for (auto at = by_stride.rbegin(); at != by_stride.rend(); ++at) {
    if (is_power_of_two(at->first)) continue;
    const std::optional<double> there = end_of(at->second);
    if (!there) return none(fmt::format("nodes {} B apart are all held", at->first));
    const double ratio = *there / end;
    if (ratio < kLeastRatio) return none(fmt::format("lines are not shorter than {} B", at->first));
    const double octaves = std::log2(at->first / ratio);
    if (std::fabs(octaves - std::round(octaves)) > kMostOff)
      return none(fmt::format("nodes {} B apart are held up to {:.3g} times the size", at->first, ratio));
    return shown(std::exp2(std::round(octaves)));
  }
  return none("no chains at a stride that is no power of two");
}

Shown ways_of(const std::map<double, std::vector<PathLevel>>& by_stride, std::span<const PathLevel> levels,
              double least_stride, double end, double line) {
  constexpr double kAlike = 1.3, kOfAllLines = 0.5, kMostMiss = 0.6;
  const double hit = levels[0].clocks, miss = levels[1].clocks;
  double last = 0, last_stride = 0, before = 0;  // nodes that fit at the last two strides
  for (const auto& [stride, there] : by_stride) {
    if (!is_power_of_two(stride) || stride <= std::max(least_stride, line)) continue;
    if (!end_of(there)) return none(fmt::format("nodes {} B apart are all held, or none is", stride));
    before = last;
    last = *there.front().served_bytes / stride;
    if (there.front().exceeded_clocks < hit + kMostMiss * (miss - hit)) last = end;  // some sets are full
    last_stride = stride;
  }
  if (before == 0) return none("no chains at two strides of several lines");
  if (last > kOfAllLines * end / line)
    return none(fmt::format("nodes {} B apart come to many sets: these are chosen by a hash", last_stride));
  if (std::max(last, before) > kAlike * std::min(last, before))
    return none(
        fmt::format("{} nodes {} B apart are held, but {} at a smaller stride", last, last_stride, before));
  return shown(last);
}

}  // namespace

std::vector<PathLevel> path_levels(std::vector<LoadPathPoint> curve) {
  std::ranges::sort(curve, {}, &LoadPathPoint::footprint_bytes);
  std::vector<PathLevel> levels;
  const auto is_steep = [&](std::size_t i) {
    return i + 1 < curve.size() && curve[i + 1].clocks > kSteep * curve[i].clocks;
  };
  std::size_t begin = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (!is_steep(i)) continue;
    std::size_t after = i + 1;
    while (is_steep(after)) ++after;
    const double clocks = median_clocks(curve, begin, i);
    if (curve[after].clocks >= kLeastRise * clocks) {
      levels.push_back({.clocks = clocks,
                        .served_bytes = curve[i].footprint_bytes,
                        .exceeded_bytes = curve[i + 1].footprint_bytes,
                        .exceeded_clocks = curve[i + 1].clocks});
      begin = after;
    }
    i = after - 1;
  }
  if (!curve.empty()) levels.push_back({.clocks = median_clocks(curve, begin, curve.size() - 1)});
  return levels;
}

PathCaches path_caches(std::span<const LoadPathPoint> points) {
  std::map<double, Points> curves;  // by stride
  Points ascending;
  for (const LoadPathPoint& point : points)
    (point.ascending ? ascending : curves[point.stride_bytes]).push_back(point);
  std::map<double, std::vector<PathLevel>> by_stride;
  for (const auto& [stride, curve] : curves) by_stride[stride] = path_levels(curve);
  PathCaches caches;
  if (by_stride.empty()) return caches;
  caches.levels = by_stride.begin()->second;
  const std::optional<double> end = end_of(caches.levels);
  if (!end) {
    caches.fetch_bytes = caches.line_bytes = caches.ways = none("no cache ends within the probed footprints");
    return caches;
  }
  // A level that begins with misses does not show how much it holds.
  constexpr double kServed = 1.3;
  for (auto& [stride, levels] : by_stride)
    if (levels.front().clocks > kServed * caches.levels.front().clocks) levels.clear();
  const double least_stride = by_stride.begin()->first;
  caches.fetch_bytes = fetch_of(ascending, caches.levels.front());
  caches.line_bytes = line_of(by_stride, *end);
  caches.ways = caches.line_bytes.value
                    ? ways_of(by_stride, caches.levels, least_stride, *end, *caches.line_bytes.value)
                    : none("the line does not show");
  return caches;
}

std::optional<bool> is_evicted(std::span<const PathLevel> levels, double footprint_bytes, double clocks) {
  constexpr double kOfTheWay = 0.25;
  if (levels.size() < 2 || footprint_bytes > *levels.front().served_bytes ||
      2 * footprint_bytes < *levels.front().exceeded_bytes)
    return {};
  return clocks > levels[0].clocks + kOfTheWay * (levels[1].clocks - levels[0].clocks);
}

}  // namespace gpuseq::probes
