#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gpuseq::bench {

/// Searches for a name in the current folder, then in configs/ of source_root(): titan.json,
/// paper/fm-index.json. Absolute names and those that begin with a dot are not searched for.
/// @throws UsageError with the nearest names of all folders of configs/ if the name is in neither
std::filesystem::path config_file(const std::filesystem::path& named);

/// The published values of a run, possibly from another machine: the recorded file, or the file of the same
/// name in configs/published/. Older records name it published-NAME.json or paper-NAME.json. Empty if neither
/// exists.
std::filesystem::path published_file(const std::filesystem::path& recorded);

/// The environment variable of source_root(). Configs may name it although it is not set.
inline constexpr std::string_view kRootVariable = "GPUSEQ_ROOT";

/// For records: a copy in which texts that begin with the path of source_root() begin with ${GPUSEQ_ROOT}, so
/// that a record names no folder of its machine and a run goes on in another checkout.
nlohmann::json with_paths_from_root(nlohmann::json document);

}  // namespace gpuseq::bench
