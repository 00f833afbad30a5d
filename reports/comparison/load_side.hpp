#pragma once

#include <filesystem>

#include "reports/comparison/comparison.hpp"

namespace gpuseq::comparison {

/// Adds the records of a journal as a process, and what the run.json beside it says of defaults.
/// @throws UsageError if the journal cannot be read (with file and line)
void add_process(Side& side, const std::filesystem::path& journal);

/// The records of a journal (records.jsonl), of a run folder, or of a folder whose sub-folders are run
/// folders: then each is a process, in the order of their names.
/// @throws UsageError if the path is none of these, or a journal cannot be read (with file and line)
Side load_side(const std::filesystem::path& path);

}  // namespace gpuseq::comparison
