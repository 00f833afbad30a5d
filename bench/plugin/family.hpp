#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/plugin/description.hpp"

namespace gpuseq::bench {

/// Describes libraries and adds their plugins to a config: to /plugins, instead of those of the same name,
/// and to the variants of their family, at their default parameters unless the config has them.
/// @param libraries  of --plugin
/// @throws UsageError as describe_plugins() does
void add_plugins(nlohmann::json& document, const std::vector<std::string>& libraries);
/// load_config() with plugins, which are added before `edit` is called.
/// @throws UsageError as both do, and if the config measures no problem of a plugin's family
SuiteConfig load_with_plugins(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                              const std::function<void(nlohmann::json&)>& edit,
                              const std::vector<std::string>& libraries);

/// The plugin that a config has as this variant; nullopt: it is none.
std::optional<PluginDescription> plugin_of(const SuiteConfig& config, std::string_view family,
                                           std::string_view variant);

/// The registry with plugins among its families' variants.
/// @param plugins  /plugins of a config
/// @throws UsageError for a family that takes no plugins, or for the name of another variant
Registry with_plugins(const Registry& registry, const nlohmann::json& plugins);
/// The same of a config, with its name in errors.
Registry with_plugins_of(const SuiteConfig& config, const Registry& registry);

}  // namespace gpuseq::bench
