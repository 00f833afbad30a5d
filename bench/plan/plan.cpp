#include "bench/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_set>

#include "bench/config/selection.hpp"
#include "bench/plan/passes.hpp"
#include "bench/plan/plan_probes.hpp"
#include "bench/plan/plan_problems.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

template <typename Find>
decltype(auto) placed(const Place& place, Find&& find) {
  try {
    return find();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", place.text(), error.what()));
  }
}

/// Axes that more than half of a family's variants have, external tools not counted. An object that
/// they share (an index) is built once for states that agree in them, so these states are together.
std::vector<std::string> shared_axes(const Family& family) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  std::size_t variants = 0;
  for (const Variant& variant : family.variants()) {
    if (variant.whole_process) continue;
    ++variants;
    for (const Axis& axis : variant.space.axes()) {
      auto found = std::find_if(counts.begin(), counts.end(), [&](auto& c) { return c.first == axis.name; });
      if (found == counts.end()) found = counts.insert(counts.end(), {axis.name, 0});
      ++found->second;
    }
  }
  std::vector<std::string> shared;
  for (const auto& [name, count] : counts)
    if (2 * count > variants) shared.push_back(name);
  return shared;
}

bool has_variant(const Family& family, const std::string& name) {
  const auto& variants = family.variants();
  return std::any_of(variants.begin(), variants.end(), [&](const Variant& v) { return v.name == name; });
}

bool has_probe(const Registry& registry, const std::string& name) {
  return std::any_of(registry.probes.begin(), registry.probes.end(),
                     [&](const auto& probe) { return probe->name() == name; });
}

/// The points of a variant that a config selects.
struct Selected {
  const Variant* variant = nullptr;
  std::vector<Point> points = {};
  std::shared_ptr<const SelectedSpace> space = {};  // `points` are a sample of it
};
using VariantPoints = std::vector<Selected>;

/// How points of variants become states.
struct Selecting {
  std::span<const DeviceInfo> devices;
  const SuiteConfig& config;
  bool with_cuda = false;
  std::size_t problems = 0;
};

bool any_is(DeviceKind kind, std::span<const DeviceInfo> devices) {
  return std::ranges::any_of(devices, [kind](const DeviceInfo& device) { return device.kind == kind; });
}

/// Combinations of a variant up to which all its points are made, where a search need not have them all or no
/// device of the run has the variant.
double most_made(const Selecting& selecting, std::size_t variants) {
  constexpr double kMost = 100'000, kShare = 4;
  const auto states = static_cast<double>(variants * selecting.devices.size() * selecting.problems);
  return std::min(kMost, static_cast<double>(kMostStates) / (kShare * std::max(states, 1.0)));
}

/// The config's first points, and others at random.
std::vector<Point> sampled_points(const SelectedSpace& space, const Variant& of, const std::string& name,
                                  const Selecting& selecting, const Place& place) {
  constexpr std::size_t kFewest = 2000;
  std::uint64_t stream = 0;  // the same wherever the program was built
  for (const char letter : name) stream = 131 * stream + static_cast<unsigned char>(letter);
  Random random(selecting.config.seed, stream);
  const auto evaluations = static_cast<std::size_t>(selecting.config.tune.evaluations);
  UniquePoints points;
  for (const auto& [variant, point] : selecting.config.tune.first)
    if (Point whole = variant == of.name ? of.space.complete(point) : Point(); space.contains(whole))
      points.add(std::move(whole));
  for (Point& point : space.sample(std::max(kFewest, evaluations), random)) points.add(std::move(point));
  if (points.size() == 0)
    throw UsageError(fmt::format("{}: no valid point was found among {} combinations of values", place.text(),
                                 count_text(space.combinations())));
  return std::move(points).take();
}

/// The tuning points that one variant's sub-spaces select, duplicates of overlapping ones removed.
Selected selected_points(const Variant& variant, const std::string& name, const json& spaces,
                         const Place& place, const Selecting& selecting, std::size_t variants) {
  std::vector<std::pair<Restriction, Place>> parts;
  const auto add = [&](const json& space, const Place& where) {
    parts.emplace_back(restriction_of(space, variant.space, where), where);
  };
  if (!spaces.is_array()) add(spaces, place);
  for (std::size_t i = 0; spaces.is_array() && i < spaces.size(); ++i)
    add(spaces[i], place / std::to_string(i));
  std::vector<Restriction> restrictions;
  for (const auto& [restriction, where] : parts) restrictions.push_back(restriction);
  const bool runs = any_is(variant.device, selecting.devices);
  if (!runs || selecting.config.tune.evaluations > 0) {
    auto space = std::make_shared<const SelectedSpace>(variant.space, restrictions);
    if (space->combinations() > most_made(selecting, variants)) {
      if (!runs) return {.variant = &variant};
      std::vector<Point> points = sampled_points(*space, variant, name, selecting, place);
      return {.variant = &variant, .points = std::move(points), .space = std::move(space)};
    }
  }
  UniquePoints points;
  for (const auto& [restriction, where] : parts) {
    for (Point& point : valid_points(restriction, variant.space, where)) points.add(std::move(point));
    require_plannable(static_cast<double>(points.size()), place);
  }
  return {.variant = &variant, .points = std::move(points).take()};
}

/// The tuning points of every selected variant of a family.
VariantPoints variant_points(const Family& family, const json& given, const Place& place,
                             const Selecting& selecting, std::vector<std::string>& remarks) {
  VariantPoints selected;
  std::size_t count = 0;
  for (const auto& [name, spaces] : given.items()) {
    const Place at = place / name;
    if (!selecting.with_cuda && !has_variant(family, name)) {
      remarks.push_back(
          fmt::format("{}/{}: left out, this build is without CUDA and has no variant of this name",
                      family.name(), name));
      continue;
    }
    const Variant& variant =
        placed(at, [&family, &name = name]() -> const Variant& { return family.variant(name); });
    const std::string full_name = fmt::format("{}/{}", family.name(), name);
    selected.push_back(selected_points(variant, full_name, spaces, at, selecting, given.size()));
    require_plannable(static_cast<double>(count += selected.back().points.size()), place);
  }
  return selected;
}

/// The states that are run of each problem.
struct Contestant {
  const Variant* variant = nullptr;
  const DeviceInfo* device = nullptr;
  Point point;
};

std::vector<Contestant> contestants(VariantPoints&& variants, std::span<const DeviceInfo> devices) {
  std::vector<Contestant> found;
  for (auto& [variant, points, space] : variants) {
    std::vector<const DeviceInfo*> on;
    for (const DeviceInfo& device : devices)
      if (device.kind == variant->device) on.push_back(&device);
    for (const DeviceInfo* device : on)
      for (Point& point : points)
        found.push_back({variant, device, device == on.back() ? std::move(point) : point});
  }
  return found;
}

/// Contestants that agree in the axes that variants share are together, in the order of these axes' values.
void group_by_shared_axes(std::vector<Contestant>& contestants, const Family& family) {
  static const AxisValue without = std::int64_t{-1};
  const std::vector<std::string> axes = shared_axes(family);
  std::vector<const AxisValue*> values;  // [contestant][axis]
  for (const auto& [variant, device, point] : contestants)
    for (const std::string& axis : axes) values.push_back(point.has(axis) ? &point.at(axis) : &without);
  const auto key = [&](std::size_t i) { return std::span(values).subspan(i * axes.size(), axes.size()); };
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(key(a), key(b),
                                                [](auto* left, auto* right) { return *left < *right; });
  });
  std::vector<Contestant> grouped;
  grouped.reserve(contestants.size());
  for (const std::size_t i : order) grouped.push_back(std::move(contestants[i]));
  contestants = std::move(grouped);
}

const char* name_of(DeviceKind kind) {
  return kind == DeviceKind::cpu ? "cpu" : "cuda";
}

/// A remark on a probe that is for other devices than there are.
void remark_on_left_out(const Family& probe, std::span<const DeviceInfo> devices,
                        std::vector<std::string>& remarks) {
  const auto runs = [&](const Variant& variant) { return any_is(variant.device, devices); };
  if (!probe.variants().empty() && std::ranges::none_of(probe.variants(), runs))
    remarks.push_back(fmt::format("{}: left out, it needs a {} device", probe.name(),
                                  name_of(probe.variants().front().device)));
}

void remark_on_left_out(const Family& family, const VariantPoints& variants,
                        std::span<const DeviceInfo> devices, std::vector<std::string>& remarks) {
  for (const auto& [variant, points, space] : variants)
    if (!variant->missing.empty())
      remarks.push_back(
          fmt::format("{}/{}: will be skipped: {}", family.name(), variant->name, variant->missing));
  for (const auto& [variant, points, space] : variants)
    if (!any_is(variant->device, devices))
      remarks.push_back(fmt::format("{}/{}: left out, it needs a {} device", family.name(), variant->name,
                                    name_of(variant->device)));
}

/// Adds the contestants' states on one problem.
void add_states(const std::shared_ptr<const Family>& owner, const Point& problem,
                std::span<const Contestant> contestants, std::vector<State>& to) {
  for (const auto& [variant, device, point] : contestants)
    to.push_back({.key = {std::string(owner->name()), variant->name, problem, point, device->id},
                  .kind = variant->whole_process ? "tool" : "kernel",
                  .phase = "sweep",
                  .family = owner.get(),
                  .variant = variant,
                  .owner = owner});
}

void plan_family(const std::shared_ptr<const Family>& owner, const json& given, const Place& place,
                 const SuiteConfig& config, std::span<const DeviceInfo> devices, bool with_cuda,
                 Sweep& sweep) {
  const Family& family = *owner;
  const PlannedProblems problems = plan_problems(family, given["problems"], place / "problems", config);
  const Selecting selecting{.devices = devices,
                            .config = config,
                            .with_cuda = with_cuda,
                            .problems = problems.fixed.size() + problems.sized.size()};
  VariantPoints variants =
      variant_points(family, given["variants"], place / "variants", selecting, sweep.remarks);
  remark_on_left_out(family, variants, devices, sweep.remarks);
  for (const Selected& one : variants)
    if (one.space) sweep.sampled.emplace(fmt::format("{}/{}", family.name(), one.variant->name), one.space);
  std::vector<Contestant> entered = contestants(std::move(variants), devices);
  const double more = static_cast<double>(problems.fixed.size()) * static_cast<double>(entered.size());
  require_plannable(more + static_cast<double>(sweep.kernels.size()), place);
  group_by_shared_axes(entered, family);
  // Tools may build an index of their own, which takes long.
  std::ranges::stable_partition(entered, [](const Contestant& one) { return !one.variant->whole_process; });
  for (const Point& problem : problems.sized) {
    SizedStates states;
    add_states(owner, problem, entered, states);
    for (State& state : states) {
      state.phase = "size";
      state.growth = family.growth();
    }
    if (!states.empty()) sweep.sized.push_back(std::move(states));
  }
  if (more > static_cast<double>(sweep.kernels.size()))
    sweep.kernels.reserve(sweep.kernels.size() + problems.fixed.size() * entered.size());
  for (const Point& problem : problems.fixed) add_states(owner, problem, entered, sweep.kernels);
}

}  // namespace

Sweep plan(const SuiteConfig& config, const Registry& registry, std::span<const DeviceInfo> devices) {
  Sweep sweep;
  const Place root{.source = config.source, .pointer = json::json_pointer()};
  static const json none = json::object();
  const json& probes = config.document.contains("probes") ? config.document["probes"] : none;
  for (const auto& [name, given] : probes.items()) {
    const Place place = root / "probes" / name;
    if (!registry.with_cuda && !has_probe(registry, name)) {
      sweep.remarks.push_back(
          fmt::format("{}: left out, this build is without CUDA and has no probe of this name", name));
      continue;
    }
    const Family& probe =
        placed(place, [&, &name = name]() -> const Family& { return registry.probe(name); });
    remark_on_left_out(probe, devices, sweep.remarks);
    std::vector<State> states = plan_probe(probe, given, place, devices, registry.with_cuda);
    require_plannable(static_cast<double>(sweep.probes.size() + states.size()), place);
    std::move(states.begin(), states.end(), std::back_inserter(sweep.probes));
  }
  const json& families = config.document.contains("families") ? config.document["families"] : none;
  for (const auto& [name, given] : families.items()) {
    if (const std::string why = registry.why_not_built(name); !why.empty()) {
      sweep.remarks.push_back(fmt::format("{}: left out, {}", name, why));
      continue;
    }
    const Place place = root / "families" / name;
    const auto family = placed(place, [&, &name = name] { return registry.shared_family(name); });
    plan_family(family, given, place, config, devices, registry.with_cuda, sweep);
  }
  return sweep;
}

double state_count(const Sweep& sweep) {
  double count = 0;
  std::unordered_set<std::string> seen;  // sampled variants by problem and device
  const auto add = [&](const State& state) {
    const auto space = sweep.sampled.find(fmt::format("{}/{}", state.key.family, state.key.variant));
    if (space == sweep.sampled.end())
      ++count;
    else if (seen.insert(space->first + " " + problem_key(state.key) + " " + state.key.device).second)
      count += space->second->combinations();
  };
  for (const State& state : sweep.kernels) add(state);
  for (const SizedStates& sized : sweep.sized)
    for (const State& state : sized) add(state);
  return count;
}

std::string problem_key(const results::StateKey& key) {
  return fmt::format("{}/{}", key.family, key.problem.to_string());
}

std::optional<std::int64_t> footprint_of(const results::StateKey& key) {
  for (const Point* point : {&key.problem, &key.point})
    if (point->has(kFootprintAxis)) return point->integer(kFootprintAxis);
  return std::nullopt;
}

std::vector<State> at_footprints(const State& like, std::span<const double> footprints) {
  std::vector<State> states;
  for (const double footprint : footprints) {
    State state = like;
    Point& holder = state.key.problem.has(kFootprintAxis) ? state.key.problem : state.key.point;
    holder.set(kFootprintAxis, static_cast<std::int64_t>(footprint));
    states.push_back(std::move(state));
  }
  return states;
}

SamplingOptions sampling_of(const State& state, const SamplingOptions& of_config) {
  SamplingOptions sampling = of_config;
  if (state.most_seconds > 0) {
    sampling.max_seconds = std::min(sampling.max_seconds, state.most_seconds);
    sampling.min_seconds = std::min(sampling.min_seconds, state.most_seconds);
    // Six samples at a point of a probe say where a level ends; those of a kernel take its share of a budget.
    if (state.kind == "kernel")
      sampling.six_samples_seconds = std::min(sampling.six_samples_seconds, state.most_seconds);
  }
  const int passes = passes_of(state, of_config);
  if (passes == 1) return sampling;
  // The median of three still is that of a quiet machine where one of them was interrupted.
  constexpr int kFewestOfPass = 3;
  const auto part = [&](int samples) {
    return std::max((samples + passes - 1) / passes, std::min(samples, kFewestOfPass));
  };
  sampling.max_seconds /= passes;
  sampling.min_seconds /= passes;
  sampling.six_samples_seconds /= passes;
  sampling.min_samples = part(sampling.min_samples);
  sampling.max_samples = part(sampling.max_samples);
  sampling.fewest_samples = kFewestOfPass;
  return sampling;
}

bool wants_refinement(const SuiteConfig& config, const std::string& probe) {
  const auto probes = config.document.find("probes");
  if (probes == config.document.end()) return false;
  const auto given = probes->find(probe);
  return given != probes->end() && given->value("refine", false);
}

}  // namespace gpuseq::bench
