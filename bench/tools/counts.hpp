#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "runtime/io/sequence_reader.hpp"

namespace gpuseq::bench {

/// A count that check_count() allows, of a role's file.
/// @throws UsageError for a malformed file, with its name and the line
double file_count(std::string_view name, const std::filesystem::path& path);

/// Nucleotides, amino acids, gaps and stops; records may be empty.
SequenceReadOptions any_letters();

}  // namespace gpuseq::bench
