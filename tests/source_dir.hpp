#pragma once

#include <filesystem>
#include <string>

namespace gpuseq {

/// The checkout that the tests read their data from: GPUSEQ_ROOT, or the one that they were built in.
std::filesystem::path source_dir();

/// A run that tests read: probes of older runs in tests/data/runs, or a committed run of results/.
inline std::filesystem::path run_dir(const std::string& name) {
  const std::filesystem::path older = source_dir() / "tests/data/runs" / name;
  return std::filesystem::exists(older) ? older : source_dir() / "results" / name;
}

}  // namespace gpuseq
