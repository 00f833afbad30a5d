#include "probes/footprints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

constexpr double kGranule = 1024;

double rounded(double bytes) {
  return std::max(kGranule, std::round(bytes / kGranule) * kGranule);
}

}  // namespace

std::vector<double> refine_footprints(std::span<const CurvePoint> curve,
                                      std::span<const FootprintRange> ranges, int per_range) {
  if (curve.empty() || per_range < 1) return {};
  std::set<double> have, wanted;
  for (const CurvePoint& point : curve) have.insert(point.footprint_bytes);
  for (const FootprintRange& range : ranges) {
    // A quarter octave more at each side includes the begin and the end of the change.
    const double from =
        std::max(std::log2(range.from_bytes) - 0.25, std::log2(curve.front().footprint_bytes));
    const double to = std::min(std::log2(range.to_bytes) + 0.25, std::log2(curve.back().footprint_bytes));
    for (int i = 0; i < per_range && from < to; ++i) {
      const double bytes = rounded(std::exp2(from + (to - from) * (i + 0.5) / per_range));
      if (!have.contains(bytes)) wanted.insert(bytes);
    }
  }
  return {wanted.begin(), wanted.end()};
}

std::vector<std::size_t> log_footprints(std::size_t from, std::size_t to, int per_octave) {
  if (from == 0 || from > to || per_octave < 1)
    throw UsageError(fmt::format("log_footprints({}, {}, {}): needs 0 < from <= to and per_octave >= 1", from,
                                 to, per_octave));
  std::set<std::size_t> footprints;
  const auto limit = static_cast<double>(to);
  for (int i = 0;; ++i) {
    const double bytes = static_cast<double>(from) * std::exp2(static_cast<double>(i) / per_octave);
    if (bytes > limit * (1 + 1e-9)) break;
    if (rounded(bytes) <= limit) footprints.insert(static_cast<std::size_t>(rounded(bytes)));
  }
  // Includes the end of the range, but not an almost equal footprint. If the last step would be much shorter
  // than the others, the footprint before the end is removed: it adds no information, and filling so much
  // memory takes time.
  constexpr double kAsGood = 1.02, kMuchNearer = 1.0 / 3;  // of a step
  const std::size_t last = to / 1024 * 1024;
  if (last == 0) return {footprints.begin(), footprints.end()};
  const double beyond =
      footprints.empty() ? 0 : static_cast<double>(last) / static_cast<double>(*footprints.rbegin());
  if (beyond > kAsGood && footprints.size() > 1 && std::log2(beyond) < kMuchNearer / per_octave)
    footprints.erase(*footprints.rbegin());
  if (footprints.empty() || beyond > kAsGood) footprints.insert(last);
  return {footprints.begin(), footprints.end()};
}

}  // namespace gpuseq::probes
