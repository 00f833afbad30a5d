#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/contract/point.hpp"

struct gpuseq_plugin;

namespace gpuseq::bench {

/// A plugin as a run.json states it under /config/plugins: all that planning needs, so that only a worker
/// runs a plugin's code.
struct PluginDescription {
  std::filesystem::path library;
  std::string hash;         // XXH64 of the library's content
  std::uint32_t index = 0;  // in the library
  std::uint32_t abi = 0;    // the rest is empty for a version other than ours
  std::string family, name, summary, device;
  std::vector<Axis> parameters = {};
  std::uint32_t block_bytes = 0;
  bool dependent = false;
  double footprint_per_letter = 0;
  std::vector<std::string> operations = {};
  std::string target = {};
};

/// Marks a plugin's records.
nlohmann::json facts_of(const PluginDescription& description);
/// @throws nlohmann's exceptions
PluginDescription plugin_from_json(const nlohmann::json& description);

/// The plugins of a library, which a process of its own loads. Paths without a slash are files, too.
/// @throws UsageError for a library without a plugin, or that crashes while it is loaded
std::vector<nlohmann::json> describe_plugins(const std::filesystem::path& library);

/// The whole of that process: writes the descriptions to a file.
void write_descriptions(const std::filesystem::path& library, const std::filesystem::path& out);

/// Loads a library, which stays, for the plugin of a description.
/// @throws std::runtime_error if it cannot be loaded, has changed, or has another version of the interface
const gpuseq_plugin& load_plugin(const PluginDescription& description);

}  // namespace gpuseq::bench
