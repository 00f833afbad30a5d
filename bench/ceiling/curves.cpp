#include "bench/ceiling/curves.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/plan/plan.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

/// All axes of a record but the footprint, and the footprint.
struct Where {
  Point fixed;
  double footprint_bytes = 0;
};

Where where(const Record& record) {
  Where found;
  for (const Point* point : {&record.state.problem, &record.state.point})
    for (const auto& [axis, value] : point->values()) {
      if (axis == kFootprintAxis)
        found.footprint_bytes = static_cast<double>(std::get<std::int64_t>(value));
      else
        found.fixed.set(axis, value);
    }
  return found;
}

bool is_latency(const Record& record) {
  return record.state.family == "latency";
}

std::vector<double> values_of(const Record& record) {
  std::vector<double> values;
  for (const double seconds : record.samples_s)
    values.push_back(is_latency(record) ? 1e9 * seconds / record.work.amount : record.work.amount / seconds);
  return values;
}

bool has_curve_point(const Record& record) {
  const bool has_footprint =
      record.state.problem.has(kFootprintAxis) || record.state.point.has(kFootprintAxis);
  return record.kind == "probe" && record.status == results::Status::ok && has_footprint &&
         !record.samples_s.empty() && record.work.amount > 0;
}

Curve new_curve(const Record& record, const Point& fixed) {
  return {.probe = record.state.family,
          .device = record.state.device,
          .variant = record.state.variant,
          .fixed = fixed,
          .points = {},
          .unit = is_latency(record) ? "ns" : record.work.unit + "/s"};
}

void add(Curve& curve, double footprint_bytes, const std::vector<double>& values) {
  auto at = std::lower_bound(curve.points.begin(), curve.points.end(), footprint_bytes,
                             [](const Curve::At& a, double bytes) { return a.footprint_bytes < bytes; });
  if (at == curve.points.end() || at->footprint_bytes != footprint_bytes)
    at = curve.points.insert(at, {.footprint_bytes = footprint_bytes, .values = {}});
  at->values.insert(at->values.end(), values.begin(), values.end());
}

}  // namespace

std::int64_t threads_of(const Point& point, int all_threads) {
  const std::int64_t threads = point.has("threads") ? point.integer("threads") : 1;
  return threads == 0 ? all_threads : threads;
}

std::string curve_id(const results::StateKey& key) {
  results::StateKey id = key;
  for (Point* point : {&id.problem, &id.point})
    if (point->has(kFootprintAxis)) point->set(kFootprintAxis, std::int64_t{0});
  return id.to_string();
}

std::vector<Curve> curves_of(std::span<const Record> records) {
  std::vector<Curve> curves;
  std::map<std::string, std::size_t> places;
  for (const Record& record : records) {
    if (!has_curve_point(record)) continue;
    const Where at = where(record);
    const results::StateKey key{record.state.family, record.state.variant, {}, at.fixed, record.state.device};
    const auto [place, is_new] = places.emplace(key.to_string(), curves.size());
    if (is_new) curves.push_back(new_curve(record, at.fixed));
    add(curves[place->second], at.footprint_bytes, values_of(record));
  }
  for (Curve& curve : curves)
    for (Curve::At& at : curve.points) at.median = results::median(at.values);
  return curves;
}

std::vector<probes::CurvePoint> knee_input(const Curve& curve) {
  std::vector<probes::CurvePoint> points;
  for (const Curve::At& at : curve.points) points.push_back({at.footprint_bytes, at.values});
  return points;
}

std::vector<probes::Knee> knees_of(const Curve& curve, std::uint64_t seed) {
  constexpr std::size_t kFewestFootprints = 4;
  if (curve.points.size() < kFewestFootprints) return {};
  return probes::find_knees(knee_input(curve), {.seed = seed});
}

double value_at(const Curve& curve, double footprint_bytes) {
  const auto& points = curve.points;
  if (footprint_bytes <= points.front().footprint_bytes) return points.front().median;
  if (footprint_bytes >= points.back().footprint_bytes) return points.back().median;
  const auto above =
      std::lower_bound(points.begin(), points.end(), footprint_bytes,
                       [](const Curve::At& a, double bytes) { return a.footprint_bytes < bytes; });
  const auto below = above - 1;
  const double share = std::log(footprint_bytes / below->footprint_bytes) /
                       std::log(above->footprint_bytes / below->footprint_bytes);
  return std::exp((1 - share) * std::log(below->median) + share * std::log(above->median));
}

}  // namespace gpuseq::bench
