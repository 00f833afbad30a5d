#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/config/config_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/tools/family.hpp"
#include "bench/tools/programs.hpp"
#include "runtime/folders/scratch_folder.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kTimeoutS = 60;  // nothing is measured with this registry

Peers peers_of(const fs::path& file) {
  const fs::path path =
      file.empty() ? source_root() / "configs" / "tools" / "peers.json" : fs::absolute(config_file(file));
  return peers_from_json(resolve_peers(path.string(), "/", path.string()), path.string());
}

}  // namespace

Registry registry_with_peers(const Registry& registry, const fs::path& file) {
  return file.empty() ? registry : with_peers(registry, peers_of(file), kTimeoutS);
}

ExitCode list_peers_command(const fs::path& file, bool json) {
  const ScratchFolder scratch{fs::path()};
  nlohmann::ordered_json listed = nlohmann::ordered_json::array();
  for (const Peer& peer : peers_of(file).peers) {
    const std::string missing = why_missing(peer);
    listed.push_back({{"name", peer.name},
                      {"family", peer.family},
                      {"summary", peer.summary},
                      {"package", peer.package},
                      {"version", missing.empty() ? version_of(peer, scratch.path()) : ""},
                      {"missing", missing}});
  }
  if (json) say("{}\n", Lines{nlohmann::ordered_json{{"tools", listed}}.dump(2)});
  if (!json)
    for (const auto& peer : listed) {
      const auto text = [&](const char* key) { return peer[key].get<std::string>(); };
      say("{}/{}: {} ({})\n", text("family"), text("name"), text("summary"),
          text("missing").empty() ? "version " + text("version") : text("missing"));
    }
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
