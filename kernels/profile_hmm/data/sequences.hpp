#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kernels/profile_hmm/data/amino_acids.hpp"

namespace gpuseq::profile_hmm {

/// The longest sequence that hmmsearch accepts.
inline constexpr u32 kMostResidues = 100'000;

/// Protein sequences as residue codes, in file order.
struct Sequences {
  std::vector<std::string> names;
  std::vector<u64> begin{0};  // [count + 1] into codes
  std::vector<u8> codes;

  u64 count() const { return begin.size() - 1; }
  u64 residues() const { return codes.size(); }
  /// Residues of the longest sequence; 0 if there is none.
  u32 longest() const;
  /// The number of sequences without residues.
  u64 count_empty() const;
  u32 length(u64 i) const { return static_cast<u32>(begin[i + 1] - begin[i]); }
  std::span<const u8> row(u64 i) const { return std::span(codes).subspan(begin[i], begin[i + 1] - begin[i]); }
  void append(std::string name, std::span<const u8> residues);
};

/// A FASTA file (plain or gzip), or a volume of a protein BLAST database of version 4 (.psq, with .pin and
/// .phr in the same folder), distinguished by the file name. As in hmmsearch: the letters of FASTA, blanks
/// are left out, and a header ends at Ctrl-A. Sequences without residues are kept.
/// @param most_sequences  0: all; else only the first `most_sequences`
/// @throws UsageError (file, record, line) for letters that hmmsearch rejects, sequences above kMostResidues,
/// records without a name, and '>' within a line, where hmmsearch would begin another record
Sequences read_sequences(const std::filesystem::path& path, u64 most_sequences = 0);

/// A warning with the number of sequences without residues; empty if there are none.
std::string warning_of_empty(const Sequences& sequences);

/// Writes FASTA with 60 letters per line.
void write_fasta(std::ostream& out, const Sequences& sequences);

}  // namespace gpuseq::profile_hmm
