#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/config/config_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/plugin/family.hpp"
#include "bench/tools/family.hpp"
#include "bench/tools/programs.hpp"
#include "runtime/folders/scratch_folder.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kTimeoutS = 60;  // nothing is measured with this registry

Tools tools_of(const fs::path& file) {
  const fs::path path =
      file.empty() ? source_root() / "configs" / "tools" / "tools.json" : fs::absolute(config_file(file));
  return tools_from_json(resolve_tools(path.string(), "/", path.string()), path.string());
}

}  // namespace

Registry registry_with_tools(const Registry& registry, const fs::path& file) {
  return file.empty() ? registry : with_tools(registry, tools_of(file), kTimeoutS);
}

Registry registry_with_plugins(const Registry& registry, const std::vector<std::string>& libraries) {
  nlohmann::json document = nlohmann::json::object();
  add_plugins(document, libraries);
  return with_plugins(registry, document.value("plugins", nlohmann::json::array()));
}

ExitCode list_tools_command(const fs::path& file, bool json) {
  const ScratchFolder scratch{fs::path()};
  nlohmann::ordered_json listed = nlohmann::ordered_json::array();
  for (const Tool& tool : tools_of(file).tools) {
    const std::string missing = why_missing(tool);
    listed.push_back({{"name", tool.name},
                      {"family", tool.family},
                      {"summary", tool.summary},
                      {"package", tool.package},
                      {"version", missing.empty() ? version_of(tool, scratch.path()) : ""},
                      {"missing", missing}});
  }
  if (json) say("{}\n", Lines{nlohmann::ordered_json{{"tools", listed}}.dump(2)});
  if (!json)
    for (const auto& tool : listed) {
      const auto text = [&](const char* key) { return tool[key].get<std::string>(); };
      say("{}/{}: {} ({})\n", text("family"), text("name"), text("summary"),
          text("missing").empty() ? "version " + text("version") : text("missing"));
    }
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
