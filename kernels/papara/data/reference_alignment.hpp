#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::papara {

/// A multiple sequence alignment of nucleotides.
struct ReferenceAlignment {
  std::vector<std::string> names;
  std::vector<std::size_t> lines;  // of the records, for messages
  std::vector<std::string> rows;   // letters as in the file, all equally long
  std::string place{};             // the file's name, for messages
  std::size_t sites() const { return rows.empty() ? 0 : rows.front().size(); }
};

/// Reads a FASTA or a PHYLIP file (sequential or interleaved, relaxed names), told apart by content, gzip or
/// plain. Letters are IUPAC nucleotides of either case, '-', '.' and '?'.
/// @throws UsageError with file and line: unequal lengths, a duplicate or empty name, a letter that is none,
/// a PHYLIP header that does not agree with what follows, no record
ReferenceAlignment read_alignment(const std::filesystem::path& path);

/// The bases a letter stands for, as a set (scoring.cuh); 15 for N, X, '-', '.', '?'; 0 for what is no such
/// letter.
u8 base_set(char letter);
/// '-' or '.': a gap. N, X and '?' are taken as gaps too where CGAP is computed (the paper's program does
/// so).
bool is_gap(char letter);

}  // namespace gpuseq::papara
