#include "bench/bound/curves.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/bound/agreement.hpp"
#include "bench/config/config.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

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

constexpr const char* kLatencyUnit = "ns";

bool is_latency(const Record& record) {
  return record.state.family == "latency";
}

std::vector<double> values_of(const Record& record) {
  std::vector<double> values;
  for (const double seconds : record.samples_s)
    values.push_back(is_latency(record) ? 1e9 * seconds / record.work.amount : record.work.amount / seconds);
  return values;
}

/// Whether a probe depends on load, sharing, path or node more than on the footprint, and so gives no curve.
bool depends_on_others(const Record& record) {
  constexpr std::string_view kProbes[] = {"loaded_latency", "numa_latency", "atomics", "load_path"};
  return std::ranges::find(kProbes, record.state.family) != std::end(kProbes);
}

bool has_curve_point(const Record& record) {
  const bool has_footprint =
      record.state.problem.has(kFootprintAxis) || record.state.point.has(kFootprintAxis);
  return record.kind == "probe" && record.status == results::Status::ok && has_footprint &&
         !depends_on_others(record) && !record.samples_s.empty() && record.work.amount > 0;
}

Curve new_curve(const Record& record, const Point& fixed) {
  return {.probe = record.state.family,
          .device = record.state.device,
          .variant = record.state.variant,
          .fixed = fixed,
          .points = {},
          .disturbed = {},
          .unit = is_latency(record) ? kLatencyUnit : record.work.unit + "/s"};
}

/// The records of a point, in order.
struct Passes {
  std::string state;
  std::vector<std::vector<double>> values;  // by pass
  std::vector<double> levels;               // their medians
};

/// A curve under construction.
struct Draft {
  Curve curve;
  std::map<double, Passes> points;  // by footprint
};

/// Times of passes; disturbance makes them longer.
std::vector<double> times_of(const Curve& curve, const Passes& passes) {
  std::vector<double> times;
  times.reserve(passes.levels.size());
  for (const double level : passes.levels) times.push_back(curve.unit == kLatencyUnit ? level : 1 / level);
  return times;
}

Curve::At point_of(double footprint_bytes, Passes passes, const std::vector<bool>& counts) {
  Curve::At at{
      .footprint_bytes = footprint_bytes, .state = std::move(passes.state), .values = {}, .levels = {}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!counts[i]) continue;
    const std::vector<double>& values = passes.values[i];
    at.values.insert(at.values.end(), values.begin(), values.end());
    at.levels.push_back(passes.levels[i]);
  }
  at.median = results::median(at.levels);
  return at;
}

Curve finished(Draft draft) {
  Curve curve = std::move(draft.curve);
  std::vector<std::vector<double>> times;
  times.reserve(draft.points.size());
  for (const auto& [footprint, passes] : draft.points) times.push_back(times_of(curve, passes));
  const double tolerance = tolerance_of_passes(times);
  // Only CPUs have passes. Several records of a GPU's point are the same probe on several nodes, all correct.
  const bool in_passes = curve.device == "cpu";
  auto time = times.begin();
  for (auto& [footprint, passes] : draft.points) {
    const std::vector<bool> all(passes.values.size(), true);
    const std::vector<bool> agree = in_passes ? agreeing_passes(*time++, tolerance) : all;
    if (std::ranges::find(agree, true) != agree.end())
      curve.points.push_back(point_of(footprint, std::move(passes), agree));
    else
      curve.disturbed.push_back(point_of(footprint, std::move(passes), all));
  }
  return curve;
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
  std::vector<Draft> drafts;
  std::map<std::string, std::size_t> places;
  for (const Record& record : records) {
    if (!has_curve_point(record)) continue;
    const Where at = where(record);
    const results::StateKey key{record.state.family, record.state.variant, {}, at.fixed, record.state.device};
    const auto [place, is_new] = places.emplace(key.to_string(), drafts.size());
    if (is_new) drafts.push_back({.curve = new_curve(record, at.fixed), .points = {}});
    Passes& passes = drafts[place->second].points[at.footprint_bytes];
    passes.state = record.state.to_string();
    passes.values.push_back(values_of(record));
    passes.levels.push_back(results::median(passes.values.back()));
  }
  std::vector<Curve> curves;
  curves.reserve(drafts.size());
  for (Draft& draft : drafts) curves.push_back(finished(std::move(draft)));
  return curves;
}

bool stands_aside(const Curve& curve, std::span<const Curve> curves) {
  const auto is_long = [](const Curve& one) { return one.points.size() + one.disturbed.size() > 1; };
  const auto of_random_accesses = [](const Curve& one) { return one.probe == "random_access"; };
  return of_random_accesses(curve) && !is_long(curve) && std::ranges::any_of(curves, [&](const Curve& other) {
           return of_random_accesses(other) && other.device == curve.device && is_long(other);
         });
}

std::vector<probes::CurvePoint> points_of(const Curve& curve) {
  std::vector<probes::CurvePoint> points;
  points.reserve(curve.points.size());
  for (const Curve::At& at : curve.points)
    points.push_back({.footprint_bytes = at.footprint_bytes,
                      .samples = at.values,
                      .passes = at.levels.size() > 1 ? at.levels : std::vector<double>()});
  return points;
}

namespace {

double best_of(const Curve::At& at) {
  return std::ranges::max(at.levels);
}

template <typename ValueOf>
double interpolated(const Curve& curve, double footprint_bytes, ValueOf&& value_of) {
  const auto& points = curve.points;
  if (footprint_bytes <= points.front().footprint_bytes) return value_of(points.front());
  if (footprint_bytes >= points.back().footprint_bytes) return value_of(points.back());
  const auto above =
      std::lower_bound(points.begin(), points.end(), footprint_bytes,
                       [](const Curve::At& a, double bytes) { return a.footprint_bytes < bytes; });
  const auto below = above - 1;
  return log_log(footprint_bytes, {below->footprint_bytes, value_of(*below)},
                 {above->footprint_bytes, value_of(*above)});
}

}  // namespace

double log_log(double x, std::pair<double, double> below, std::pair<double, double> above) {
  const double share = std::log(x / below.first) / std::log(above.first / below.first);
  return std::exp((1 - share) * std::log(below.second) + share * std::log(above.second));
}

double value_at(const Curve& curve, double footprint_bytes) {
  return interpolated(curve, footprint_bytes, [](const Curve::At& at) { return at.median; });
}

double reached_at(const Curve& curve, double footprint_bytes) {
  double most = interpolated(curve, footprint_bytes, best_of);
  const auto above = std::ranges::lower_bound(curve.points, footprint_bytes, {}, &Curve::At::footprint_bytes);
  if (above != curve.points.begin() && above != curve.points.end()) {
    const Curve::At& below = *std::prev(above);
    constexpr double kEdge = 2;  // 2.6 at the TLB reach of an H200; at most 1 at caches
    const bool falls_off =
        best_of(below) / best_of(*above) > kEdge * above->footprint_bytes / below.footprint_bytes;
    if (falls_off && above->footprint_bytes > footprint_bytes) most = best_of(below);
  }
  for (const Curve::At& at : curve.points)
    if (at.footprint_bytes >= footprint_bytes) most = std::max(most, best_of(at));
  return most;
}

}  // namespace gpuseq::bench
