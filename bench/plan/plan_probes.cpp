#include "bench/plan/plan_probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_set>

#include "probes/footprints.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

constexpr const char* kNotAxes[] = {"cpu", "cuda", "variants", "refine"};
constexpr const char* kNeighbourAxis = "peer";
constexpr const char* kOthers = "others";

bool is_axis_key(const std::string& key) {
  return std::find(std::begin(kNotAxes), std::end(kNotAxes), key) == std::end(kNotAxes);
}

const char* word(DeviceKind kind) {
  return kind == DeviceKind::cpu ? "cpu" : "cuda";
}

/// One sub-space of a probe for one kind of device: axis -> its JSON and its place.
using SubSpace = std::map<std::string, std::pair<const json*, Place>>;

const Axis* find_axis(const Family& probe, const Variant& variant, const std::string& name) {
  const Axis* axis = variant.space.find(name);
  return axis != nullptr ? axis : probe.problem_space().find(name);
}

/// @throws UsageError if no variant (of that kind, if one is named) has the axis
void require_known(const Family& probe, const std::string& name, const Place& place,
                   std::optional<DeviceKind> kind) {
  std::vector<Axis> axes = probe.problem_space().axes();
  for (const Variant& variant : probe.variants()) {
    if (kind && variant.device != *kind) continue;
    if (find_axis(probe, variant, name) != nullptr) return;
    for (const Axis& axis : variant.space.axes())
      if (std::none_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == axis.name; }))
        axes.push_back(axis);
  }
  throw_unknown_axis(place, name, axes);
}

std::vector<SubSpace> sub_spaces(const Family& probe, const json& given, const Place& place,
                                 DeviceKind kind) {
  SubSpace common;
  for (const auto& [name, value] : given.items())
    if (is_axis_key(name)) common.emplace(name, std::pair(&value, place / name));
  const char* key = word(kind);
  if (!given.contains(key)) return {common};
  std::vector<SubSpace> spaces;
  const auto add = [&](const json& object, const Place& at) {
    SubSpace space = common;
    for (const auto& [name, value] : object.items()) {
      require_known(probe, name, at / name, kind);
      space.insert_or_assign(name, std::pair(&value, at / name));
    }
    spaces.push_back(std::move(space));
  };
  if (given[key].is_array())
    for (std::size_t i = 0; i < given[key].size(); ++i) add(given[key][i], place / key / std::to_string(i));
  else
    add(given[key], place / key);
  return spaces;
}

/// Footprints given as {"from", "to", "per_octave"}; "device" is the device's free memory.
std::vector<AxisValue> footprint_range(const json& range, const Place& place, const DeviceInfo& device) {
  const bool whole_device = range["to"] == "device";
  const std::size_t to = whole_device ? device.free_bytes : range["to"].get<std::size_t>();
  const auto from = range["from"] == "device" ? device.free_bytes : range["from"].get<std::size_t>();
  if (to < from)
    throw UsageError(fmt::format("{}: found to = {}{}; allowed: at least from, {}", place.text(), to,
                                 whole_device ? " (free memory of " + device.id + ")" : "", from));
  std::vector<AxisValue> values;
  for (const std::size_t bytes : probes::log_footprints(from, to, range.value("per_octave", 1)))
    values.emplace_back(static_cast<std::int64_t>(bytes));
  return values;
}

/// The numbers of the CUDA devices among `devices` other than `device`: the "others" of an axis `peer`.
std::vector<AxisValue> others_than(const DeviceInfo& device, std::span<const DeviceInfo> devices) {
  constexpr std::string_view kPrefix = "cuda:";
  std::vector<AxisValue> numbers;
  for (const DeviceInfo& other : devices)
    if (other.kind == DeviceKind::cuda && other.id != device.id)
      numbers.emplace_back(std::int64_t{std::stoi(other.id.substr(kPrefix.size()))});
  return numbers;
}

/// The states of one sub-space for one variant on one device: problem points times tuning points.
struct Product {
  std::vector<Point> problems, points;
};

/// Nothing where neighbours are asked for and there are none.
Product product_of(const Family& probe, const Variant& variant, const SubSpace& space, const Place& place,
                   const DeviceInfo& device, std::span<const DeviceInfo> devices) {
  Restriction problem, point;
  for (const auto& [name, found] : space) {
    const auto& [given, at] = found;
    const Axis* axis = find_axis(probe, variant, name);
    if (axis == nullptr) continue;
    const bool range = name == kFootprintAxis && given->is_object();
    const bool others = name == kNeighbourAxis && *given == kOthers;
    std::vector<AxisValue> values = range    ? footprint_range(*given, at, device)
                                    : others ? others_than(device, devices)
                                             : axis_values(*given, *axis, at);
    if (others && values.empty()) return {};
    (variant.space.find(name) != nullptr ? point : problem)[name] = std::move(values);
  }
  return {valid_points(problem, probe.problem_space(), place), valid_points(point, variant.space, place)};
}

bool selected(const Variant& variant, const json& given) {
  if (!given.contains("variants")) return true;
  const json& names = given["variants"];
  return std::find(names.begin(), names.end(), variant.name) != names.end();
}

void check_names(const Family& probe, const json& given, const Place& place) {
  for (const auto& [name, value] : given.items())
    if (is_axis_key(name)) require_known(probe, name, place / name, std::nullopt);
  if (!given.contains("variants")) return;
  for (const json& name : given["variants"]) {
    try {
      probe.variant(name.get<std::string>());
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", (place / "variants").text(), error.what()));
    }
  }
}

/// A device to check the axes of a kind against that this machine does not have.
DeviceInfo stand_in(DeviceKind kind) {
  constexpr std::size_t kAnyMemory = std::size_t{1} << 40;
  return {.id = "", .kind = kind, .free_bytes = kAnyMemory};
}

/// Hands over every product that is selected on a device, one of `devices`.
void for_each_product(const Family& probe, const json& given, const Place& place, const DeviceInfo& device,
                      std::span<const DeviceInfo> devices,
                      const std::function<void(const Variant&, const Product&)>& take) {
  for (const SubSpace& space : sub_spaces(probe, given, place, device.kind))
    for (const Variant& variant : probe.variants())
      if (variant.device == device.kind && selected(variant, given))
        take(variant, product_of(probe, variant, space, place, device, devices));
}

}  // namespace

std::vector<State> plan_probe(const Family& probe, const json& given, const Place& place,
                              std::span<const DeviceInfo> devices, bool with_cuda) {
  if (with_cuda) {
    check_names(probe, given, place);
    const DeviceInfo any_neighbour{.id = "cuda:1", .kind = DeviceKind::cuda};
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda})
      for_each_product(probe, given, place, stand_in(kind), {&any_neighbour, 1},
                       [](const Variant&, const Product&) {});
  }
  std::vector<State> states;
  std::unordered_set<std::string> seen;
  for (const DeviceInfo& device : devices)
    for_each_product(
        probe, given, place, device, devices, [&](const Variant& variant, const Product& product) {
          const auto& [problems, points] = product;
          require_plannable(static_cast<double>(problems.size()) * static_cast<double>(points.size()) +
                                static_cast<double>(states.size()),
                            place);
          for (const Point& problem : problems)
            for (const Point& point : points) {
              State state{.key = {std::string(probe.name()), variant.name, problem, point, device.id},
                          .kind = "probe",
                          .phase = "probe",
                          .family = &probe,
                          .variant = &variant};
              if (seen.insert(state.key.to_string()).second) states.push_back(std::move(state));
            }
        });
  return states;
}

}  // namespace gpuseq::bench
