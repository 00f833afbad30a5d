#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "bench/commands/commands.hpp"
#include "bench/config/selection.hpp"
#include "bench/plan/not_compiled.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

const char* word(DeviceKind kind) {
  return kind == DeviceKind::cpu ? "cpu" : "cuda";
}

ordered_json axes_json(const SearchSpace& space) {
  ordered_json axes = ordered_json::array();
  for (const Axis& axis : space.axes()) {
    ordered_json values = ordered_json::array();
    for (const AxisValue& value : axis.values) values.push_back(ordered_json(to_json(value)));
    axes.push_back({{"name", axis.name},
                    {"values", values},
                    {"default", to_json(axis.default_value)},
                    {"allowed", allowed_values(axis)},
                    {"meaning", axis.meaning}});
  }
  return axes;
}

ordered_json family_json(const Family& family) {
  ordered_json variants = ordered_json::array();
  const Point problem = family.problem_space().complete({});
  for (const Variant& variant : family.variants()) {
    variants.push_back({{"name", variant.name},
                        {"device", word(variant.device)},
                        {"summary", variant.summary},
                        {"axes", axes_json(variant.space)}});
    if (const std::vector<std::string> values = values_not_compiled(variant, problem); !values.empty())
      variants.back()["not_compiled"] = {{"values", values}, {"option", kAllShapesOption}};
  }
  ordered_json roles = ordered_json::object(), outputs = ordered_json::object();
  for (const auto& [role, meaning] : family.exec_roles()) roles[role] = meaning;
  for (const auto& [role, meaning] : family.exec_outputs()) outputs[role] = meaning;
  ordered_json json{{"name", family.name()},
                    {"summary", family.summary()},
                    {"problem_axes", axes_json(family.problem_space())},
                    {"variants", variants},
                    {"exec_roles", roles},
                    {"exec_outputs", outputs},
                    {"exec_options", axes_json(family.exec_options())}};
  if (const Growth* growth = family.growth())
    json["grows_by"] = {{"axis", growth->axis}, {"noun", growth->noun}, {"from", growth->from}};
  return json;
}

ordered_json devices_json() {
  const DeviceList list = list_devices();
  ordered_json devices = ordered_json::object();
  for (const std::string& id : list.ids) {
    const auto device = open_device(id);
    ordered_json description = device->describe();
    description["free_bytes"] = device->free_bytes();
    devices[id] = description;
  }
  return {{"devices", devices}, {"reason_no_cuda", list.reason_no_cuda}};
}

void print_axes(const ordered_json& axes, const std::string& indent) {
  for (const ordered_json& axis : axes)
    say("{}{} = {} (default {}): {}\n", indent, axis["name"].get<std::string>(),
        axis["allowed"].get<std::string>(), axis["default"].dump(), axis["meaning"].get<std::string>());
}

void print_not_compiled(const ordered_json& left_out) {
  const auto values = left_out["values"].get<std::vector<std::string>>();
  const std::string text = fmt::format("{}", fmt::join(values, ", "));
  say("    not compiled: {}; cmake -D{}=ON compiles all shapes\n", text,
      left_out["option"].get<std::string>());
}

void print_families(const ordered_json& families, bool variants, bool axes) {
  for (const ordered_json& family : families) {
    say("{}: {}\n", family["name"].get<std::string>(), family["summary"].get<std::string>());
    if (family.contains("grows_by"))
      say("  grows by {}, which may be \"auto\": from {} {} on\n",
          family["grows_by"]["axis"].get<std::string>(), family["grows_by"]["from"].get<std::int64_t>(),
          family["grows_by"]["noun"].get<std::string>());
    if (axes) print_axes(family["problem_axes"], "  problem axis ");
    if (!variants) continue;
    for (const ordered_json& variant : family["variants"]) {
      say("  {} ({}): {}\n", variant["name"].get<std::string>(), variant["device"].get<std::string>(),
          variant["summary"].get<std::string>());
      if (axes) print_axes(variant["axes"], "    ");
      if (variant.contains("not_compiled")) print_not_compiled(variant["not_compiled"]);
    }
  }
}

void print_devices(const ordered_json& listed) {
  for (const auto& [id, description] : listed["devices"].items())
    say("{}: {}, {:.3g} GB free\n", id,
        description["name"].is_string() ? description["name"].get<std::string>() : "unnamed",
        description["free_bytes"].get<double>() / 1e9);
  if (const std::string reason = listed["reason_no_cuda"].get<std::string>(); !reason.empty())
    say("no CUDA device: {}\n", reason);
}

}  // namespace

ExitCode list_command(const std::string& topic, bool json, const Registry& registry) {
  const bool all = topic.empty();
  ordered_json listed;
  const bool probes = all || topic == "probes" || topic == "axes";
  const bool families = all || topic == "families" || topic == "variants" || topic == "axes";
  if (families) {
    listed["families"] = ordered_json::array();
    for (const auto& family : registry.families) listed["families"].push_back(family_json(*family));
    if (!registry.not_built.empty()) listed["families_not_built"] = registry.not_built;
  }
  if (probes) {
    listed["probes"] = ordered_json::array();
    for (const auto& probe : registry.probes) listed["probes"].push_back(family_json(*probe));
  }
  if (all || topic == "devices") listed.update(devices_json());
  if (json) {
    say("{}\n", Lines{listed.dump(2)});
    return ExitCode::fine;
  }
  const bool axes = topic == "axes";
  if (families) {
    print_families(listed["families"], topic != "families", axes);
    for (const std::string& name : registry.not_built)
      say("{}: left out, {}\n", name, registry.why_not_built(name));
  }
  if (probes) print_families(listed["probes"], true, axes);
  if (listed.contains("devices")) print_devices(listed);
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
