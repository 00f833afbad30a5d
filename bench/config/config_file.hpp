#pragma once

#include <filesystem>

namespace gpuseq::bench {

/// Looks a bare name up in the current folder, then in configs/ of source_root(). Names with a folder stay as
/// they are.
/// @throws UsageError with the nearest names if a bare name is in neither
std::filesystem::path config_file(const std::filesystem::path& named);

}  // namespace gpuseq::bench
