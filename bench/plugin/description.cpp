#include "bench/plugin/description.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <fstream>
#include <span>

#include "bench/config/json_file.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/folders/scratch_folder.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/plugin/gpuseq_plugin.h"
#include "runtime/system/child_process.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kMostLoadS = 60;  // of a library, with the libraries that it needs
constexpr std::uint32_t kMostPlugins = 1000;

using PluginAt = const gpuseq_plugin* (*)(std::uint32_t);

PluginAt open_library(const fs::path& library) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  void* const symbol = ::dlsym(handle, "gpuseq_plugin_at");
  if (symbol == nullptr)
    throw std::runtime_error(fmt::format("{} has no function gpuseq_plugin_at", library.string()));
  return reinterpret_cast<PluginAt>(symbol);
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

Axis axis_of(const json& given) {
  Axis axis{.name = given.at("name"), .values = {}, .default_value = std::int64_t{0}};
  axis.meaning = given.at("meaning");
  axis.default_value = given.at("default").get<std::int64_t>();
  for (const json& value : given.at("values")) axis.values.emplace_back(value.get<std::int64_t>());
  return axis;
}

json parameters_json(const gpuseq_plugin& plugin) {
  json list = json::array();
  for (const gpuseq_parameter& one : std::span(plugin.parameters, plugin.parameter_count))
    list.push_back({{"name", text_of(one.name)},
                    {"meaning", text_of(one.meaning)},
                    {"values", std::vector<std::int64_t>(one.values, one.values + one.value_count)},
                    {"default", one.default_value}});
  return list;
}

json description_of(const gpuseq_plugin& plugin, const fs::path& library, std::uint32_t index) {
  json description{{"library", library.string()},
                   {"hash", hash_hex16(read_file(library))},
                   {"index", index},
                   {"abi", plugin.abi},
                   {"family", text_of(plugin.family)},
                   {"name", text_of(plugin.name)},
                   {"summary", text_of(plugin.summary)},
                   {"device", text_of(plugin.device)}};
  if (plugin.abi != GPUSEQ_PLUGIN_ABI) return description;  // its other members are not where ours are
  description["parameters"] = parameters_json(plugin);
  description["block_bytes"] = plugin.block_bytes;
  description["dependent"] = plugin.dependent != 0;
  description["footprint_per_letter"] = plugin.footprint_per_letter;
  description["operations"] =
      std::vector<std::string>(plugin.operations, plugin.operations + plugin.operation_count);
  description["target"] = text_of(plugin.target);
  return description;
}

}  // namespace

json facts_of(const PluginDescription& plugin) {
  return {{"plugin", plugin.library.filename().string()},
          {"plugin_hash", plugin.hash},
          {"plugin_abi", plugin.abi}};
}

PluginDescription plugin_from_json(const json& given) {
  PluginDescription plugin{.library = given.at("library").get<std::string>(),
                           .hash = given.at("hash"),
                           .index = given.at("index"),
                           .abi = given.at("abi"),
                           .family = given.at("family"),
                           .name = given.at("name"),
                           .summary = given.at("summary"),
                           .device = given.at("device")};
  for (const json& one : given.value("parameters", json::array())) plugin.parameters.push_back(axis_of(one));
  plugin.block_bytes = given.value("block_bytes", std::uint32_t{0});
  plugin.dependent = given.value("dependent", false);
  plugin.footprint_per_letter = given.value("footprint_per_letter", 0.0);
  plugin.operations = given.value("operations", std::vector<std::string>());
  plugin.target = given.value("target", "");
  return plugin;
}

std::vector<json> describe_plugins(const fs::path& library) {
  const fs::path file = fs::absolute(library).lexically_normal();
  const auto refuse = [&](const std::string& what) {
    throw UsageError(fmt::format("--plugin {}: {}", library.string(), what));
  };
  if (!fs::is_regular_file(file)) refuse("there is no such file; allowed: a shared library");
  const ScratchFolder scratch{fs::path()};
  const fs::path out = scratch.path() / "plugins.json";
  try {
    run_child({.arguments = {"/proc/self/exe", "describe-plugins", file.string(), out.string()},
               .err = scratch.path() / "errors",
               .timeout_s = kMostLoadS});
  } catch (const ChildFailed& failed) {
    refuse(fmt::format("it cannot be loaded: {}", failed.what()));
  }
  auto plugins = read_json(out).get<std::vector<json>>();
  if (plugins.empty())
    refuse(fmt::format("gpuseq_plugin_at(0) gave no plugin; it printed: {}",
                       last_lines(read_file(scratch.path() / "errors"))));
  return plugins;
}

void write_descriptions(const fs::path& library, const fs::path& out) {
  const PluginAt at = open_library(library);
  json all = json::array();
  for (std::uint32_t index = 0; index < kMostPlugins; ++index) {
    const gpuseq_plugin* const plugin = at(index);
    if (plugin == nullptr) break;
    all.push_back(description_of(*plugin, library, index));
  }
  write_file_atomically(out, all.dump(-1, ' ', false, json::error_handler_t::replace));
}

const gpuseq_plugin& load_plugin(const PluginDescription& description) {
  if (description.abi != GPUSEQ_PLUGIN_ABI)
    throw std::runtime_error(fmt::format("the plugin has version {} of gpuseq_plugin.h; allowed: {}",
                                         description.abi, GPUSEQ_PLUGIN_ABI));
  if (hash_hex16(read_file(description.library)) != description.hash)
    throw std::runtime_error(
        fmt::format("{} is not the library that the run began with", description.library.string()));
  const gpuseq_plugin* const plugin = open_library(description.library)(description.index);
  if (plugin == nullptr || plugin->abi != GPUSEQ_PLUGIN_ABI)
    throw std::runtime_error(
        fmt::format("{} no longer has plugin {}", description.library.string(), description.index));
  return *plugin;
}

}  // namespace gpuseq::bench
