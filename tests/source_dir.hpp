#pragma once

#include <filesystem>

namespace gpuseq {

/// The checkout that the tests read their data from: GPUSEQ_ROOT, or the one that they were built in.
std::filesystem::path source_dir();

}  // namespace gpuseq
