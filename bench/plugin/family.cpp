#include "bench/plugin/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "bench/config/tool_expression.hpp"
#include "bench/plugin/session.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// A family with plugins among its variants. All else is the family's own.
class PluginFamily final : public Family {
 public:
  PluginFamily(std::shared_ptr<const Family> inner, std::vector<Variant> plugins)
      : inner_(std::move(inner)), variants_(inner_->variants()) {
    std::ranges::move(plugins, std::back_inserter(variants_));
  }
  std::string_view name() const override { return inner_->name(); }
  std::string_view summary() const override { return inner_->summary(); }
  const SearchSpace& problem_space() const override { return inner_->problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  Point small_problem() const override { return inner_->small_problem(); }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return inner_->load(spec); }
  const Growth* growth() const override { return inner_->growth(); }
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    return inner_->problem_cost(state);
  }
  Compare comparison() const override { return inner_->comparison(); }
  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return inner_->exec_roles();
  }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override {
    return inner_->exec_outputs();
  }
  const SearchSpace& exec_options() const override { return inner_->exec_options(); }
  std::string_view exec_variant() const override { return inner_->exec_variant(); }
  ExecReport exec(const ExecRequest& request, Device& device) const override {
    return inner_->exec(request, device);
  }

 private:
  std::shared_ptr<const Family> inner_;
  std::vector<Variant> variants_;
};

DeviceKind device_of(const PluginDescription& plugin) {
  if (plugin.device != "cpu" && plugin.device != "cuda")
    throw UsageError(
        fmt::format("/plugins/{}: found the device \"{}\"; allowed: cpu, cuda", plugin.name, plugin.device));
  return plugin.device == "cpu" ? DeviceKind::cpu : DeviceKind::cuda;
}

/// The kinds of cost; amounts are not known before the problem is loaded.
Cost estimate(const PluginDescription& plugin, std::uint64_t letters) {
  Cost cost;
  if (plugin.block_bytes > 0)
    cost.traffic = Traffic{.block_bytes = plugin.block_bytes,
                           .footprint_bytes = static_cast<std::size_t>(plugin.footprint_per_letter *
                                                                       static_cast<double>(letters)),
                           .access = plugin.dependent ? "dependent" : "independent"};
  if (!plugin.operations.empty()) {
    cost.instructions = Instructions{.target = plugin.target};
    for (const std::string& operation : plugin.operations) cost.instructions->operations[operation] = 0;
  }
  return cost;
}

Variant variant_of(const PluginDescription& plugin, const PluginSupport& support) {
  if (!is_axis_name(plugin.name))
    throw UsageError(fmt::format(
        "/plugins: found the name \"{}\"; allowed: lower-case letters, digits and '_'", plugin.name));
  std::vector<Axis> axes = plugin.parameters;
  const DeviceKind device = device_of(plugin);
  for (const Axis& axis : axes)
    if (!is_axis_name(axis.name) || axis.name == "threads")
      throw UsageError(fmt::format(
          "/plugins/{}: found a parameter \"{}\"; allowed: lower-case letters, digits and '_', not threads",
          plugin.name, axis.name));
  if (device == DeviceKind::cpu) axes.push_back(threads_axis());
  return {.name = plugin.name,
          .device = device,
          .summary = plugin.summary,
          .space = SearchSpace(std::move(axes)),
          .prepare = [plugin, encode = support.encode](Problem& problem, const Point& point,
                                                       Device& on) -> std::unique_ptr<Session> {
            return std::make_unique<PluginSession>(plugin, encode(problem), point, on);
          },
          .cost = [plugin, letters = support.letters](
                      const StateOutline& state) { return estimate(plugin, letters(state)); }};
}

const PluginSupport& support_of(const PluginDescription& plugin, const Registry& registry) {
  if (const std::string why = registry.why_not_built(plugin.family); !why.empty()) throw UsageError(why);
  std::vector<std::string_view> names;
  for (const PluginSupport& one : registry.plugins) {
    if (one.family == plugin.family) return one;
    names.push_back(one.family);
  }
  throw UsageError(fmt::format("/plugins/{}: found the family \"{}\"; allowed: {}", plugin.name,
                               plugin.family, fmt::join(names, ", ")));
}

const json& plugins_of(const json& document) {
  static const json none = json::array();
  return document.contains("plugins") ? document["plugins"] : none;
}

/// @throws UsageError if a config measures none of a library's plugins
void require_measured(const SuiteConfig& config, const fs::path& library) {
  std::set<std::string> solved;
  for (const json& plugin : plugins_of(config.document)) {
    if (plugin["library"] != library.string()) continue;
    const std::string family = plugin["family"], name = plugin["name"];
    if (config.document.contains(json::json_pointer(fmt::format("/families/{}/variants/{}", family, name))))
      return;
    solved.insert(family);
  }
  throw UsageError(fmt::format("{}: found no problem of {}, which {} solves", config.source,
                               fmt::join(solved, ", "), library.filename().string()));
}

}  // namespace

void add_plugins(json& document, const std::vector<std::string>& libraries) {
  json given = json::array();
  for (const std::string& library : libraries)
    for (json& plugin : describe_plugins(library)) {
      const std::string family = plugin["family"], name = plugin["name"];
      if (document.contains("families") && document["families"].contains(family))
        document["families"][family]["variants"].emplace(name, json::object());
      given.push_back(std::move(plugin));
    }
  if (given.empty()) return;
  const auto is_one = [](const json& plugin, const json& other) {
    return plugin.is_object() && plugin.value("family", json()) == other["family"] &&
           plugin.value("name", json()) == other["name"];
  };
  const auto replaced = [&](const json& plugin) {
    return std::ranges::any_of(given, [&](const json& other) { return is_one(plugin, other); });
  };
  for (const json& plugin : plugins_of(document))
    if (!replaced(plugin)) given.push_back(plugin);
  document["plugins"] = std::move(given);
}

SuiteConfig load_with_plugins(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                              const std::function<void(json&)>& edit,
                              const std::vector<std::string>& libraries) {
  SuiteConfig config = load_config(path, overrides, [&](json& document) {
    add_plugins(document, libraries);
    if (edit) edit(document);
  });
  for (const std::string& library : libraries)
    require_measured(config, fs::absolute(library).lexically_normal());
  return config;
}

std::optional<PluginDescription> plugin_of(const SuiteConfig& config, std::string_view family,
                                           std::string_view variant) {
  for (const json& plugin : plugins_of(config.document))
    if (plugin["family"] == family && plugin["name"] == variant) return plugin_from_json(plugin);
  return std::nullopt;
}

Registry with_plugins(const Registry& registry, const json& plugins) {
  Registry result = registry;
  for (const json& one : plugins) {
    const PluginDescription plugin = plugin_from_json(one);
    const PluginSupport& support = support_of(plugin, registry);
    const auto family = std::ranges::find_if(
        result.families, [&](const auto& candidate) { return candidate->name() == plugin.family; });
    if (family == result.families.end())
      throw UsageError(fmt::format("/plugins/{}: no family {}", plugin.name, plugin.family));
    if (std::ranges::any_of((*family)->variants(),
                            [&](const Variant& variant) { return variant.name == plugin.name; }))
      throw UsageError(fmt::format("/plugins/{}: {} has a variant of this name", plugin.name, plugin.family));
    *family = std::make_shared<PluginFamily>(*family, std::vector{variant_of(plugin, support)});
  }
  return result;
}

Registry with_plugins_of(const SuiteConfig& config, const Registry& registry) {
  try {
    return with_plugins(registry, plugins_of(config.document));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", config.source, error.what()));
  }
}

}  // namespace gpuseq::bench
