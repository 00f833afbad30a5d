#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/papara/data/letters.hpp"

namespace gpuseq::papara {

/// A multiple sequence alignment of nucleotides or of amino acids.
struct ReferenceAlignment {
  std::vector<std::string> names;
  std::vector<std::size_t> lines;  // line of each record, for messages
  std::vector<std::string> rows;   // letters as in the file; all rows have the same length
  std::string place{};             // the file's name, for messages
  Alphabet alphabet = Alphabet::dna;
  std::size_t sites() const { return rows.empty() ? 0 : rows.front().size(); }
};

/// Reads a FASTA file or a PHYLIP file in any form of read_phylip(), detected by content, gzip or plain.
/// Letters are those of letter_code(). Blanks in names become underscores.
/// @throws UsageError with file and line: unequal lengths, a duplicate or empty name, an invalid letter, a
/// PHYLIP header that contradicts the rows, no record
ReferenceAlignment read_alignment(const std::filesystem::path& path, Alphabet alphabet);

}  // namespace gpuseq::papara
