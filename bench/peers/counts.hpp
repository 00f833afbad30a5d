#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "runtime/io/sequence_reader.hpp"

namespace gpuseq::bench {

/// Counts of files by name: fasta_residues, fasta_records, fasta_shortest, hmm_states, lines.
std::vector<std::string_view> file_count_names();
bool is_file_count(std::string_view name);

/// @throws UsageError for a malformed file, naming it and the line
double file_count(std::string_view name, const std::filesystem::path& path);

/// Nucleotides and amino acids, gaps and stops; records may be empty.
SequenceReadOptions any_letters();

}  // namespace gpuseq::bench
