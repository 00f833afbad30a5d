#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/source_dir.hpp"

namespace gpuseq::results {

/// Folders of results/ with records, in the order of their names.
inline std::vector<std::filesystem::path> committed_runs() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "results"))
    if (std::filesystem::exists(entry.path() / "records.jsonl")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace gpuseq::results
