#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/published.hpp"
#include "tests/source_dir.hpp"

/// The records and published values of the checkout.
namespace gpuseq::reports {

/// Folders of results/ with records, in the order of their names.
inline std::vector<std::filesystem::path> committed_runs() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "results"))
    if (std::filesystem::exists(entry.path() / "records.jsonl")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

inline Published all_published() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "configs/published"))
    if (!entry.path().filename().string().starts_with("machine-")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return load_published(files);
}

}  // namespace gpuseq::reports
