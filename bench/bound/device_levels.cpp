#include "bench/bound/device_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/bound/device_limits.hpp"

namespace gpuseq::bench {
namespace {

constexpr double kSameSize = 0.25;  // relative to the stated size
/// Relative to the largest stated cache: levels beyond this are TLB levels, not caches.
constexpr double kBeyondCaches = 8;

double number(const Point& point, const char* axis, double otherwise) {
  return point.has(axis) ? static_cast<double>(point.integer(axis)) : otherwise;
}

bool is_latency_curve(const Curve& curve) {
  return curve.probe == "latency";
}

/// Nanoseconds per access of the whole device.
std::vector<double> access_times(const Curve& curve, std::span<const double> values, double block_bytes) {
  std::vector<double> times;
  times.reserve(values.size());
  for (const double value : values)
    times.push_back(is_latency_curve(curve) ? value : 1e9 * block_bytes / value);
  return times;
}

std::string name_of(const Curve& curve) {
  return fmt::format("{} {}", curve.probe, curve.fixed.to_string());
}

/// Whether a curve uses other pages than most curves: TLB reach depends on the page size.
bool is_of_other_pages(const Curve& curve, std::span<const Curve> curves) {
  constexpr const char* kPages = "pages";
  constexpr const char* kUsual = "huge";
  const auto has_usual = [&](const Curve& one) {
    return one.device == curve.device && one.fixed.has(kPages) && one.fixed.word(kPages) == kUsual;
  };
  return curve.fixed.has(kPages) && curve.fixed.word(kPages) != kUsual &&
         std::ranges::any_of(curves, has_usual);
}

/// A single thread that waits for each load.
bool waits(const Curve& curve) {
  if (is_latency_curve(curve)) return true;
  return curve.variant == "cpu" && threads_of(curve.fixed, 2) == 1 &&
         number(curve.fixed, "in_flight", 0) == 1 && curve.fixed.has("access") &&
         curve.fixed.word("access") == "dependent";
}

const char* word_of(probes::Misses misses) {
  switch (misses) {
    case probes::Misses::evenly:
      return "evenly";
    case probes::Misses::octave:
      return "octave";
    case probes::Misses::at_once:
      return "at once";
  }
  return "";
}

/// Why no measured level has a stated size.
std::string why_not_measured(const StatedLevel& stated, std::span<const probes::LevelCurve> curves) {
  double least = 0, most = 0;
  for (const probes::LevelCurve& curve : curves) {
    if (curve.points.empty()) continue;
    const double first = curve.points.front().footprint_bytes;
    least = least == 0 ? first : std::min(least, first);
    most = std::max(most, curve.points.back().footprint_bytes);
  }
  if (most == 0) return "no curve of random accesses or latency was probed";
  if (stated.bytes <= least) return "smaller than every footprint that was probed";
  if (stated.bytes >= most) return "larger than every footprint that was probed";
  return "no level was found near it; a cache shared with other tenants may look smaller";
}

/// Time at a footprint between two probed ones.
std::optional<double> time_at(const probes::LevelCurve& curve, double footprint_bytes) {
  const auto above = std::ranges::find_if(curve.points, [&](const probes::CurvePoint& point) {
    return point.footprint_bytes >= footprint_bytes;
  });
  if (above == curve.points.end()) return std::nullopt;
  if (above->footprint_bytes == footprint_bytes) return above->level();
  if (above == curve.points.begin()) return std::nullopt;
  const probes::CurvePoint& below = *(above - 1);
  const double share = std::log(footprint_bytes / below.footprint_bytes) /
                       std::log(above->footprint_bytes / below.footprint_bytes);
  return below.level() + share * (above->level() - below.level());
}

/// Whether dependent accesses were timed on both sides of a footprint and take the same time there.
bool latency_is_flat(double at_bytes, std::span<const probes::LevelCurve> curves) {
  constexpr double kFlat = 1.05;
  bool timed = false;
  for (const probes::LevelCurve& curve : curves) {
    if (!curve.one_at_a_time) continue;
    const auto before = time_at(curve, at_bytes / std::numbers::sqrt2), after = time_at(curve, 2 * at_bytes);
    if (!before || !after) continue;
    if (*after >= kFlat * *before) return false;
    timed = true;
  }
  return timed;
}

nlohmann::json level_json(const NamedLevel& level, std::span<const probes::LevelCurve> curves) {
  const probes::MemoryLevel& measured = level.measured;
  nlohmann::json evidence = nlohmann::json::array();
  for (const probes::LevelEvidence& one : measured.evidence)
    evidence.push_back({{"curve", curves[one.curve].name},
                        {"block_bytes", curves[one.curve].block_bytes},
                        {"misses", word_of(one.misses)},
                        {"before_ns", one.before_ns},
                        {"after_ns", one.after_ns},
                        {"weight", one.weight}});
  return {{"name", level.name},
          {"kind", measured.kind == probes::LevelKind::cache ? "cache" : "tlb"},
          {"measured_bytes", measured.capacity_bytes},
          {"low_bytes", measured.low_bytes},
          {"high_bytes", measured.high_bytes},
          {"stated_bytes", level.stated_bytes ? nlohmann::json(*level.stated_bytes) : nlohmann::json()},
          {"named_by", level.named_by.empty() ? nlohmann::json() : nlohmann::json(level.named_by)},
          {"shows_from_bytes", measured.shows_from_bytes},
          {"uncertain", measured.uncertain},
          {"found_in", measured.found_in},
          {"evidence", std::move(evidence)}};
}

}  // namespace

std::vector<probes::LevelCurve> level_curves(std::span<const Curve> curves, const std::string& device) {
  std::vector<probes::LevelCurve> found;
  for (const Curve& curve : curves) {
    if (curve.device != device || (curve.probe != "random_access" && !is_latency_curve(curve))) continue;
    if (stands_aside(curve, curves) || is_of_other_pages(curve, curves)) continue;
    const double block = is_latency_curve(curve) ? number(curve.fixed, "stride_bytes", 64)
                                                 : number(curve.fixed, "block_bytes", 64);
    probes::LevelCurve one{
        .name = name_of(curve),
        .order = is_latency_curve(curve) ? probes::AccessOrder::cycle : probes::AccessOrder::random,
        .one_at_a_time = waits(curve),
        .block_bytes = block,
        .points = {}};
    for (const probes::CurvePoint& point : points_of(curve))
      one.points.push_back({.footprint_bytes = point.footprint_bytes,
                            .samples = access_times(curve, point.samples, block),
                            .passes = access_times(curve, point.passes, block)});
    found.push_back(std::move(one));
  }
  return found;
}

std::vector<StatedLevel> stated_levels(const nlohmann::json& description) {
  std::vector<StatedLevel> stated;
  const DeviceLimits limits = limits_of(description);
  const auto shared = description.find("shared_bytes_per_multiprocessor");
  if (limits.multiprocessors > 0 && shared != description.end() && shared->is_number() && *shared > 0)
    stated.push_back({"L1", shared->get<double>(), StatedLevel::kBySharedMemory});
  for (const DeviceLimits::Level& level : limits.levels) {
    const std::string name = level.bound == BindingResource::l1   ? "L1"
                             : level.bound == BindingResource::l2 ? "L2"
                                                                  : "L3";
    if (limits.multiprocessors > 0 && level.bound == BindingResource::l2)
      stated.push_back({"L2 near", level.bytes / 2});
    stated.push_back({name, level.bytes});
  }
  return stated;
}

std::vector<NamedLevel> name_levels(std::span<const probes::MemoryLevel> levels,
                                    std::span<const StatedLevel> stated) {
  double largest = INFINITY;
  if (!stated.empty()) largest = std::ranges::max(stated, {}, &StatedLevel::bytes).bytes;
  std::vector<NamedLevel> named;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    probes::MemoryLevel level = levels[i];
    if (level.capacity_bytes > kBeyondCaches * largest) level.kind = probes::LevelKind::translation;
    named.push_back({level.kind == probes::LevelKind::translation ? "TLB" : fmt::format("level {}", i + 1),
                     std::move(level), std::nullopt});
  }
  const auto may_be = [](const NamedLevel& level, double bytes) {
    return level.measured.low_bytes <= bytes && bytes <= level.measured.high_bytes;
  };
  for (const StatedLevel& size : stated) {
    if (std::ranges::find(named, size.name, &NamedLevel::name) != named.end()) continue;
    NamedLevel* nearest = nullptr;
    const auto off = [&](const NamedLevel& level) {
      return std::abs(level.measured.capacity_bytes / size.bytes - 1);
    };
    for (NamedLevel& level : named) {
      const bool taken = !level.named_by.empty() || level.measured.kind == probes::LevelKind::translation;
      if (taken || (off(level) > kSameSize && !may_be(level, size.bytes))) continue;
      const bool surer = nearest != nullptr && nearest->measured.uncertain && !level.measured.uncertain;
      const bool less_sure = nearest != nullptr && !nearest->measured.uncertain && level.measured.uncertain;
      if (nearest == nullptr || surer || (!less_sure && off(level) < off(*nearest))) nearest = &level;
    }
    if (nearest == nullptr) continue;
    nearest->name = size.name;
    nearest->named_by = size.by;
    if (size.by == StatedLevel::kByStatement) nearest->stated_bytes = size.bytes;
  }
  return named;
}

std::string doubt_of(const NamedLevel& level, std::span<const probes::LevelCurve> curves) {
  constexpr double kMost = 0.5;
  if (!level.named_by.empty()) return {};
  const probes::MemoryLevel& measured = level.measured;
  if (measured.evidence.size() < 2) return "one curve alone shows it";
  if (measured.found_in < kMost)
    return fmt::format("{:.0f} % of fits of resampled curves have it", 100 * measured.found_in);
  if (measured.kind == probes::LevelKind::cache && latency_is_flat(measured.capacity_bytes, curves))
    return "latency does not change there";
  return {};
}

nlohmann::json levels_json(const probes::LevelsFit& fit, std::span<const probes::LevelCurve> curves,
                           std::span<const StatedLevel> stated) {
  nlohmann::json levels = nlohmann::json::array(), unconfirmed = nlohmann::json::array(),
                 missing = nlohmann::json::array(), rises = nlohmann::json::array(),
                 errors = nlohmann::json::array();
  const std::vector<NamedLevel> named = name_levels(fit.levels, stated);
  for (const NamedLevel& level : named) {
    nlohmann::json row = level_json(level, curves);
    const std::string doubt = doubt_of(level, curves);
    nlohmann::json& rows = doubt.empty() ? levels : unconfirmed;
    if (!doubt.empty()) row["doubt"] = doubt;
    // Only confirmed levels are numbered.
    if (level.named_by.empty() && level.measured.kind == probes::LevelKind::cache)
      row["name"] = fmt::format("level {}", levels.size() + 1);
    rows.push_back(std::move(row));
  }
  for (const StatedLevel& size : stated)
    if (size.by == StatedLevel::kByStatement &&
        std::ranges::find(named, size.name, &NamedLevel::name) == named.end())
      missing.push_back(
          {{"name", size.name}, {"stated_bytes", size.bytes}, {"reason", why_not_measured(size, curves)}});
  for (const probes::GradualRise& rise : fit.rises)
    rises.push_back({{"from_bytes", rise.from_bytes},
                     {"to_bytes", rise.to_bytes},
                     {"most_relative", rise.most_relative},
                     {"curves", rise.curves.size()}});
  for (std::size_t k = 0; k < curves.size(); ++k)
    errors.push_back({{"curve", curves[k].name},
                      {"points", curves[k].points.size()},
                      {"relative_error", fit.curves[k].relative_error}});
  return {{"levels", std::move(levels)},
          {"unconfirmed", std::move(unconfirmed)},
          {"stated_only", std::move(missing)},
          {"gradual_rises", std::move(rises)},
          {"curves", std::move(errors)}};
}

}  // namespace gpuseq::bench
