#pragma once

#include <filesystem>

namespace gpuseq::bench {

/// Converts the files of a run folder that an older version wrote to today's schema, each as a whole.
/// @returns how many were converted
/// @throws UsageError for a folder that is no run, is in use, or has a line that is no record
int migrate_run(const std::filesystem::path& dir);

}  // namespace gpuseq::bench
