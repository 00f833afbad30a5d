#pragma once

#include <filesystem>

namespace gpuseq::bench {

/// Looks a name up in the current folder, then in configs/ of source_root(): titan.json, paper/fm-index.json.
/// Absolute names and those that begin with a dot stay as they are.
/// @throws UsageError with the nearest names of all folders of configs/ if the name is in neither
std::filesystem::path config_file(const std::filesystem::path& named);

/// The published values that a run records, which another machine may have made: the recorded file, or that
/// of configs/published/ with the same name. Older records name it published-NAME.json or paper-NAME.json.
/// Empty if neither exists.
std::filesystem::path published_file(const std::filesystem::path& recorded);

}  // namespace gpuseq::bench
