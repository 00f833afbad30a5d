#include "bench/plan/needed_probes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "bench/plan/estimate.hpp"
#include "bench/plan/plan.hpp"
#include "bench/plan/problem_data.hpp"
#include "probes/instruction_operations.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

/// Budget of a point's samples: many points say more than few that are sampled for long.
constexpr double kMostSecondsAPoint = 0.1;

/// Up to about so many bytes, a CPU is faster without prefetching data of its own caches.
constexpr std::uint64_t kInCaches = 1 << 20;

/// The order in which an insufficient budget is spent.
enum class Rank { bound, nearest, pair, curve };

/// A probe point and the variants whose bounds use it.
struct Wanted {
  State state;
  Rank rank = Rank::bound;
  std::set<std::string> variants;
};

bool allows(const Axis& axis, const AxisValue& value) {
  if (axis.accepts) return axis.accepts(value);
  return std::ranges::find(axis.values, value) != axis.values.end();
}

constexpr double kFar = 32e9;  // caches of translations may end from here on

/// Whether a device's rates fall so steeply about a footprint that an octave does not tell them: where a
/// GPU's L2 ends, or the half of it that is near, and where caches of translations do.
bool is_steep(double footprint, const DeviceInfo& device) {
  const auto l2 = static_cast<double>(device.l2_bytes);
  return footprint > kFar || (footprint > l2 / 4 && footprint < 2 * l2);
}

/// Octaves up to the first that holds a footprint, or the last that a device has the memory
/// for. Where rates are steep the last is the footprint itself, for between two points the
/// side of an end is unknown; and of octaves past kFar there are four points of each.
std::vector<std::int64_t> octaves(std::uint64_t footprint_bytes, const DeviceInfo& device) {
  constexpr double kLeast = 64 << 10, kMiB = 1 << 20;
  const auto footprint = static_cast<double>(footprint_bytes);
  const double last = is_steep(footprint, device) ? std::ceil(footprint / kMiB) * kMiB
                                                  : std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> all;
  for (double octave = kLeast;; octave *= 2)
    for (const double part : {0.0, 0.25, 0.5, 0.75}) {
      if (part > 0 && octave < kFar) break;
      const double grid = part > 0 ? std::round(octave * std::exp2(part) / kMiB) * kMiB : octave;
      const double at = std::min(grid, last);
      if (at > static_cast<double>(device.free_bytes)) return all;
      all.push_back(static_cast<std::int64_t>(at));
      if (at >= footprint) return all;
    }
}

/// Collects the needs of kernels, each point once.
class Collector {
 public:
  Collector(std::span<const State> listed, const SuiteConfig& config, const Registry& registry,
            std::span<const DeviceInfo> devices)
      : registry_(registry), data_bytes_(data_bytes(config)) {
    for (const State& state : listed) listed_.insert(state.key.to_string());
    for (const DeviceInfo& device : devices) devices_.emplace(device.id, &device);
  }

  void take(const State& kernel) {
    if (kernel.kind != "kernel" || !kernel.variant->cost) return;
    const StateOutline outline{kernel.key.point, kernel.key.problem, data_bytes_};
    try {
      take(kernel, kernel.variant->cost(outline));
    } catch (const ResourceError&) {
      // It will be skipped, with the reason.
    }
  }

  std::vector<Wanted> wanted() && {
    std::vector<Wanted> all;
    for (auto& [key, one] : wanted_) all.push_back(std::move(one));
    return all;
  }
  const std::set<std::string>& unknown() const { return unknown_; }

 private:
  /// The parts of a kernel that decide which points are added. Few of thousands of kernels differ in them.
  using Ask = std::tuple<std::string, std::string, std::int64_t, std::size_t, std::size_t, std::string,
                         std::int64_t, std::set<std::string>, std::string>;
  static Ask ask_of(const State& kernel, const DeviceInfo& device, const Cost& cost,
                    const std::set<std::string>& operations, const std::string& target) {
    const Traffic traffic = cost.traffic.value_or(Traffic());
    std::int64_t last = 0;
    if (traffic.footprint_bytes != 0) {
      const std::vector<std::int64_t> needed = octaves(traffic.footprint_bytes, device);
      if (!needed.empty()) last = needed.back();
    }
    return {device.id,
            variant_name(kernel),
            threads_of(kernel),
            least_block_bytes(traffic),
            traffic.block_bytes,
            traffic.access,
            last,
            operations,
            target};
  }

  static std::size_t least_block_bytes(const Traffic& traffic) {
    return traffic.least_block_bytes == 0 ? traffic.block_bytes : traffic.least_block_bytes;
  }

  void take(const State& kernel, const Cost& cost) {
    const DeviceInfo& device = *devices_.at(kernel.key.device);
    const Instructions instructions = cost.instructions.value_or(Instructions());
    for (const DeviceInstructions& one : instructions.by_device) take_elsewhere(kernel, one);
    const std::set<std::string> operations = names_of(instructions.operations);
    if (!asked_.insert(ask_of(kernel, device, cost, operations, instructions.target)).second) return;
    if (cost.traffic) take_traffic(kernel, device, *cost.traffic);
    if (!operations.empty()) take_operations(kernel, device, operations, instructions.target);
    if (device.kind == DeviceKind::cuda && (cost.traffic || !operations.empty()))
      add(kernel, device, "launch", {}, Rank::bound);
  }

  /// As if the kernel were one of that kind of device.
  void take_elsewhere(State kernel, const DeviceInstructions& instructions) {
    for (const auto& [id, device] : devices_) {
      if (device->kind != kind_of_device(instructions.device)) continue;
      kernel.key.device = id;
      kernel.key.point.set("threads", std::int64_t{0});
      take(kernel, Cost{.instructions = Instructions{.operations = instructions.operations,
                                                     .target = instructions.target}});
    }
  }

  void take_traffic(const State& kernel, const DeviceInfo& device, const Traffic& traffic) {
    if (traffic.footprint_bytes == 0) return;
    for (const std::int64_t block : block_sizes(device, traffic)) {
      // The rates of the best kernels, and no slower than anything else that was tried.
      Point point{{"block_bytes", block}, {"access", std::string("independent")}};
      if (device.kind == DeviceKind::cpu) {
        point.set("threads", threads_of(kernel));
        point.set("prefetch", std::string("none"));
        point.set("in_flight", std::int64_t{1});
        add_curve(kernel, device, "random_access", point,
                  std::min<std::uint64_t>(traffic.footprint_bytes, kInCaches));
        point.set("prefetch", std::string("software_l2"));
        point.set("in_flight", std::int64_t{96});
      }
      add_curve(kernel, device, "random_access", point, traffic.footprint_bytes);
    }
    if (traffic.access == "dependent") add_curve(kernel, device, "latency", {}, traffic.footprint_bytes);
  }

  /// Those between which the state's blocks are.
  std::vector<std::int64_t> block_sizes(const DeviceInfo& device, const Traffic& traffic) {
    std::vector<std::int64_t> sizes;
    const Variant* probe = find(device, "random_access");
    if (probe == nullptr || probe->space.find("block_bytes") == nullptr) return sizes;
    for (const AxisValue& value : probe->space.find("block_bytes")->values) {
      const auto bytes = static_cast<std::size_t>(std::get<std::int64_t>(value));
      if (2 * bytes > least_block_bytes(traffic) && bytes < 2 * traffic.block_bytes)
        sizes.push_back(std::get<std::int64_t>(value));
    }
    return sizes;
  }

  void add_curve(const State& kernel, const DeviceInfo& device, const char* probe, Point point,
                 std::uint64_t footprint_bytes) {
    // Next to the point that holds the footprint: the known footprint is rather too large.
    constexpr std::size_t kNearest = 3;
    const std::vector<std::int64_t> all = octaves(footprint_bytes, device);
    for (std::size_t i = 0; i < all.size(); ++i) {
      point.set(kFootprintAxis, all[i]);
      add(kernel, device, probe, point, i + kNearest >= all.size() ? Rank::nearest : Rank::curve);
    }
  }

  void take_operations(const State& kernel, const DeviceInfo& device, const std::set<std::string>& operations,
                       const std::string& target) {
    const auto point = [&](const std::string& operation) {
      Point at{{"operation", operation}};
      if (device.kind == DeviceKind::cpu) {
        at.set("target", target);
        at.set("threads", threads_of(kernel));
      }
      return at;
    };
    for (const std::string& operation : operations)
      if (!add(kernel, device, "instruction_throughput", point(operation), Rank::bound))
        unknown_.insert(fmt::format("{}: no probe of {}{}", variant_name(kernel), operation,
                                    target.empty() ? "" : " by " + target));
    for (const std::string& operation : probes::operations_that_fill_issue_slots(device.kind))
      add(kernel, device, "instruction_throughput", point(operation), Rank::bound);
    for (const std::string& name : probes::operation_names(device.kind)) {
      const auto [first, second] = probes::operations_of(name);
      if (first != second && operations.contains(first) && operations.contains(second))
        add(kernel, device, "instruction_throughput", point(name), Rank::pair);
    }
  }

  static std::string variant_name(const State& kernel) {
    return kernel.key.family + "/" + kernel.key.variant;
  }
  static std::int64_t threads_of(const State& kernel) {
    return kernel.key.point.has("threads") ? kernel.key.point.integer("threads") : 1;
  }

  const Family* find_probe(const std::string& name) const {
    for (const auto& probe : registry_.probes)
      if (probe->name() == name) return probe.get();
    return nullptr;
  }
  const Variant* find(const DeviceInfo& device, const std::string& probe) const {
    const Family* family = find_probe(probe);
    if (family == nullptr) return nullptr;
    for (const Variant& variant : family->variants())
      if (variant.device == device.kind) return &variant;
    return nullptr;
  }

  /// @param axes  those that the probe has; others take their defaults
  /// @returns whether there is such a probe
  bool add(const State& kernel, const DeviceInfo& device, const std::string& probe, const Point& axes,
           Rank rank) {
    const Variant* variant = find(device, probe);
    if (variant == nullptr) return false;
    Point point;
    for (const auto& [name, value] : axes.values()) {
      const Axis* axis = variant->space.find(name);
      if (axis == nullptr) continue;
      if (!allows(*axis, value)) return false;
      point.set(name, value);
    }
    const Family* family = find_probe(probe);
    State state{.key = {probe, variant->name, family->problem_space().complete({}),
                        variant->space.complete(point), device.id},
                .kind = "probe",
                .phase = "probe",
                .family = family,
                .variant = variant,
                .most_seconds = kMostSecondsAPoint};
    const std::string key = state.key.to_string();
    if (listed_.contains(key)) return true;
    Wanted& one = wanted_.try_emplace(key, Wanted{std::move(state), rank, {}}).first->second;
    one.rank = std::min(one.rank, rank);
    one.variants.insert(variant_name(kernel));
    return true;
  }

  const Registry& registry_;
  std::map<std::string, std::uint64_t> data_bytes_;
  std::unordered_set<std::string> listed_;
  std::map<std::string, const DeviceInfo*> devices_;
  std::set<Ask> asked_;
  std::map<std::string, Wanted> wanted_;
  std::set<std::string> unknown_;
};

/// The points of one device that the budget does not reach.
std::string left_out_remark(const std::string& device, double all_s, const SuiteConfig& config,
                            std::span<const Wanted* const> left_out) {
  std::set<std::string> missing, thinner;
  for (const Wanted* one : left_out)
    (one->rank <= Rank::nearest ? missing : thinner).insert(one->variants.begin(), one->variants.end());
  for (const std::string& name : missing) thinner.erase(name);
  std::string text =
      fmt::format("{}: the probes that bounds need take about {:.0f} s, probe_budget_s allows {:g}", device,
                  all_s, config.probe_budget_s);
  if (!missing.empty())
    text += fmt::format("; {} will lack some bounds{}", fmt::join(missing, ", "),
                        config.bounds_from == BoundsFrom::run ? "" : " that this machine's profile lacks");
  if (!thinner.empty())
    text += fmt::format("; from fewer points will be those of {}", fmt::join(thinner, ", "));
  return text;
}

/// In the order of their costs to prepare: a curve from its first footprint to its last.
void order(std::vector<State>& states) {
  const auto key = [](const State& state) {
    State fixed = state;
    const bool curve = fixed.key.point.has(kFootprintAxis);
    const std::int64_t footprint = curve ? fixed.key.point.integer(kFootprintAxis) : 0;
    if (curve) fixed.key.point.set(kFootprintAxis, std::int64_t{0});
    return std::pair(fixed.key.to_string(), footprint);
  };
  std::ranges::sort(states, {}, key);
}

}  // namespace

NeededProbes needed_probes(std::span<const State> kernels, std::span<const State> listed,
                           const SuiteConfig& config, const Registry& registry,
                           std::span<const DeviceInfo> devices) {
  NeededProbes needed;
  if (!(config.probe_budget_s > 0)) return needed;
  Collector collector(listed, config, registry, devices);
  for (const State& kernel : kernels) collector.take(kernel);
  needed.remarks.assign(collector.unknown().begin(), collector.unknown().end());
  std::vector<Wanted> wanted = std::move(collector).wanted();
  std::ranges::stable_sort(wanted, {}, &Wanted::rank);
  for (const DeviceInfo& device : devices) {
    TimeEstimate spent(config), all(config);
    std::vector<const Wanted*> left_out;
    for (const Wanted& one : wanted) {
      if (one.state.key.device != device.id) continue;
      all.add(one.state);
      if (spent.seconds() + spent.of(one.state) > config.probe_budget_s) {
        left_out.push_back(&one);
        needed.beyond.push_back(one.state);
      } else {
        spent.add(one.state);
        needed.states.push_back(one.state);
      }
    }
    if (!left_out.empty())
      needed.remarks.push_back(left_out_remark(device.id, all.seconds(), config, left_out));
  }
  order(needed.states);
  return needed;
}

}  // namespace gpuseq::bench
