#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace gpuseq::bench {

enum class Health { ok, warning, missing };

/// The result of one examination by `doctor`.
struct Finding {
  std::string name;
  Health state = Health::ok;
  std::string found = {};
  std::string remedy = {};  // a command or a page; empty where the state is ok
  bool needed = false;      // nothing can be measured where it is missing
};

/// Whether no needed thing is missing.
bool can_measure(std::span<const Finding> findings);

/// A line per finding, its remedy below, and the verdict.
std::string findings_text(std::span<const Finding> findings);
/// {"can_measure": true, "findings": [{"name", "state", "found", "remedy", "needed"}]}
nlohmann::ordered_json findings_json(std::span<const Finding> findings);

}  // namespace gpuseq::bench
