#include "results/size_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gpuseq::results {
namespace {

/// Shorter launches may be mostly start-up, or run in caches.
double least_launch_s(const SizeCurve& curve) {
  constexpr double kCpu = 5e-3, kGpu = 1e-3;  // threads wake within 50 us, a kernel starts within 5
  return of_cpu(curve) ? kCpu : kGpu;
}

constexpr std::size_t kFewestOfFit = 3;
/// A rate that still rises shows the size of half the fitted rate if it is at least this share of it.
constexpr double kMostly = 2.0 / 3;

SizedProblem& problem_of(std::vector<SizedProblem>& problems, const Record& record) {
  const Point fixed = without_size(record);
  const auto found = std::ranges::find_if(problems, [&](const SizedProblem& one) {
    return one.family == record.state.family && one.axis == record.size->axis && one.fixed == fixed;
  });
  if (found != problems.end()) return *found;
  return problems.emplace_back(SizedProblem{.family = record.state.family,
                                            .axis = record.size->axis,
                                            .noun = record.size->noun,
                                            .rate_unit = record.statistics->rate_unit,
                                            .fixed = fixed,
                                            .curves = {}});
}

SizeCurve& curve_of(SizedProblem& problem, const std::string& device) {
  const auto found = std::ranges::find(problem.curves, device, &SizeCurve::device);
  return found != problem.curves.end() ? *found : problem.curves.emplace_back(SizeCurve{device, {}});
}

void add(SizeCurve& curve, const Record& record) {
  const SizePoint point{.size = record.size->value,
                        .work = record.work.amount,
                        .seconds = record.statistics->median_s,
                        .rate = record.statistics->rate,
                        .record = &record};
  const auto at = std::ranges::lower_bound(curve.points, point.size, {}, &SizePoint::size);
  if (at == curve.points.end() || at->size != point.size)
    curve.points.insert(at, point);
  else if (at->rate < point.rate)
    *at = point;
}

/// The rate at a size. Behind the last size of a settled curve it is the last rate.
std::optional<double> rate_at(const SizeCurve& curve, std::int64_t size) {
  for (const SizePoint& point : curve.points)
    if (point.size == size) return point.rate;
  if (!curve.points.empty() && size > curve.points.back().size && is_settled(curve))
    return curve.points.back().rate;
  return std::nullopt;
}

/// The place where a log-log line through two points reaches `value`.
double reached(double x0, double y0, double x1, double y1, double value) {
  if (y0 == y1) return x0;
  const double share = std::clamp(std::log(value / y0) / std::log(y1 / y0), 0.0, 1.0);
  return x0 * std::pow(x1 / x0, share);
}

/// The size of a problem with this work, interpolated or extrapolated on log-log lines through the curve.
double size_of_work(const SizeCurve& curve, double work) {
  const auto& points = curve.points;
  std::size_t i = 1;
  while (i + 1 < points.size() && points[i].work < work) ++i;
  const SizePoint &a = points[i - 1], &b = points[i];
  const double power =
      std::log(static_cast<double>(b.size) / static_cast<double>(a.size)) / std::log(b.work / a.work);
  return static_cast<double>(a.size) * std::pow(work / a.work, power);
}

bool is_slower(const SizePoint& a, const SizePoint& b) {
  return a.rate < b.rate;
}

/// Whether one size is faster than another by more than a factor and beyond the noise of both.
bool surely_faster(const SizePoint& one, const SizePoint& other, double factor) {
  const Statistics &a = *one.record->statistics, &b = *other.record->statistics;
  return one.rate > factor * other.rate && a.rate_low.value_or(a.rate) > b.rate_high.value_or(b.rate);
}

std::string percent(double change) {
  return fmt::format("{:.0f} %", 100 * std::fabs(change));
}

}  // namespace

bool of_cpu(const SizeCurve& curve) {
  return !curve.points.empty() && curve.points.front().record->state.device == "cpu";
}

std::vector<Rivals> rivals(const SizedProblem& problem) {
  std::vector<Rivals> found;
  for (const SizeCurve& gpu : problem.curves)
    for (const SizeCurve& cpu : problem.curves)
      if (!of_cpu(gpu) && of_cpu(cpu)) found.push_back({&gpu, &cpu});
  return found;
}

Point without_axis(const Point& problem, const std::string& axis) {
  Point::Values values;
  for (const auto& value : problem.values())
    if (value.first != axis) values.push_back(value);
  return Point(std::move(values));
}

Point without_size(const Record& record) {
  return record.size ? without_axis(record.state.problem, record.size->axis) : record.state.problem;
}

std::vector<SizedProblem> sized_problems(std::span<const OnDevice> records) {
  std::vector<SizedProblem> problems;
  for (const auto& [record, device] : records)
    if (record->phase == "size" && record->status == Status::ok && record->size && record->statistics &&
        record->statistics->rate > 0)
      add(curve_of(problem_of(problems, *record), device), *record);
  return problems;
}

std::vector<SizedProblem> sized_problems(std::span<const Record> records) {
  std::vector<OnDevice> on;
  for (const Record& record : records)
    if (record.size) on.emplace_back(&record, record.state.device);
  return sized_problems(on);
}

std::optional<double> last_change(const SizeCurve& curve) {
  if (curve.points.size() < 2) return std::nullopt;
  return curve.points.back().rate / curve.points[curve.points.size() - 2].rate - 1;
}

bool is_settled(const SizeCurve& curve) {
  const auto& points = curve.points;
  if (points.size() < 2 || points.back().seconds < least_launch_s(curve)) return false;
  if (std::fabs(*last_change(curve)) < kSettled) return true;
  if (points.size() < 3) return false;
  const auto last_two = points.end() - 2;
  const double before = std::ranges::max_element(points.begin(), last_two, {}, &SizePoint::rate)->rate;
  return std::max(last_two->rate, points.back().rate) < (1 + kSettled) * before;
}

Filling filling_at(const SizeCurve& curve, std::int64_t size, const std::string& noun) {
  constexpr double kFuller = 1 / 0.9;
  const auto& points = curve.points;
  const auto at = std::ranges::find(points, size, &SizePoint::size);
  if (points.empty() || (at == points.end() && size < points.back().size))
    return {std::nullopt, "its rate was not measured over size"};
  if (at != points.end())
    if (const auto faster = std::max_element(at, points.end(), is_slower);
        surely_faster(*faster, *at, kFuller))
      return {false, fmt::format("{} {} reach {:.0f} % of the rate that {} reach", size, noun,
                                 100 * at->rate / faster->rate, faster->size)};
  if (points.size() < 2) return {std::nullopt, "its rate was measured at one size only"};
  const SizePoint &from = points[points.size() - 2], &to = points.back();
  const double change = *last_change(curve);
  const std::string step = fmt::format("from {} to {} {} its rate {} by {}", from.size, to.size, noun,
                                       change < 0 ? "fell" : "rose", percent(change));
  if (is_settled(curve)) return {true, step};
  const bool rises = surely_faster(to, from, 1 + kSettled);
  if (rises && (at == points.end() || &*at == &to || is_slower(*at, to))) return {false, step};
  if (to.seconds < least_launch_s(curve))
    return {std::nullopt, fmt::format("{}, and a launch takes {:.2g} ms only", step, 1e3 * to.seconds)};
  return {change < 0 ? std::optional(true) : std::nullopt, step};
}

Maybe<HalfSize> half_size(const SizeCurve& curve) {
  const auto& points = curve.points;
  if (points.size() < kFewestOfFit) return {std::nullopt, fmt::format("it takes {} sizes", kFewestOfFit)};
  if (const double launch_s = points.back().seconds; launch_s < least_launch_s(curve))
    return {std::nullopt, fmt::format("launches of {:.2g} ms are too short to tell", 1e3 * launch_s)};
  // Fits seconds = start + work / rate by least squares of relative deviations.
  double s1 = 0, sw = 0, sww = 0, st = 0, swt = 0;
  for (const SizePoint& point : points) {
    const double weight = 1 / (point.seconds * point.seconds);
    s1 += weight;
    sw += weight * point.work;
    sww += weight * point.work * point.work;
    st += weight * point.seconds;
    swt += weight * point.work * point.seconds;
  }
  const double determinant = s1 * sww - sw * sw;
  const double start_s = (sww * st - sw * swt) / determinant, s_per_work = (s1 * swt - sw * st) / determinant;
  if (!(s_per_work > 0) || !std::isfinite(start_s)) return {std::nullopt, "the curve has no such form"};
  HalfSize half{.rate = 1 / s_per_work, .work = std::max(0.0, start_s / s_per_work)};
  const auto first = points.begin();
  if (!is_settled(curve) && points.back().rate < kMostly * half.rate)
    return {std::nullopt,
            fmt::format("the rate changed by {} at the last step still", percent(*last_change(curve)))};
  half.below = first->rate >= half.rate / 2;
  const auto above =
      std::ranges::find_if(points, [&](const SizePoint& point) { return point.rate >= half.rate / 2; });
  if (above == points.end()) return {std::nullopt, "no size reaches half of the fitted rate"};
  half.high = static_cast<double>(above->size);
  half.low = half.below ? 0 : static_cast<double>((above - 1)->size);
  half.size = half.below ? half.high : std::clamp(size_of_work(curve, half.work), half.low, half.high);
  return {half, {}};
}

std::optional<Crossing> crossing(const SizeCurve& rising, const SizeCurve& other) {
  std::set<std::int64_t> sizes;
  for (const SizeCurve* curve : {&rising, &other})
    for (const SizePoint& point : curve->points) sizes.insert(point.size);
  struct At {
    std::int64_t size;
    double rising, other;
  };
  std::vector<At> both;
  for (const std::int64_t size : sizes) {
    const auto a = rate_at(rising, size), b = rate_at(other, size);
    if (a && b) both.push_back({size, *a, *b});
  }
  const auto last_slower =
      std::find_if(both.rbegin(), both.rend(), [](const At& at) { return at.rising < at.other; });
  if (last_slower == both.rend() || last_slower == both.rbegin()) return std::nullopt;
  const At &above = *(last_slower - 1), &below = *last_slower;
  const double size = reached(static_cast<double>(below.size), below.rising / below.other,
                              static_cast<double>(above.size), above.rising / above.other, 1);
  return Crossing{
      .below = other.device, .above = rising.device, .size = size, .low = below.size, .high = above.size};
}

}  // namespace gpuseq::results
