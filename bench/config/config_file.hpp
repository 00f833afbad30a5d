#pragma once

#include <filesystem>

namespace gpuseq::bench {

/// The file that somebody named: a bare name that is not in the current folder is looked up in configs/ of
/// source_root(). Names with a folder are taken as they are.
/// @throws UsageError with the nearest names if a bare name is in neither
std::filesystem::path config_file(const std::filesystem::path& named);

}  // namespace gpuseq::bench
