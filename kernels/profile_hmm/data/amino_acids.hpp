#pragma once

#include <optional>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::profile_hmm {

/// Residues are numbered as in HMMER's library Easel: 20 amino acids, the gap, degenerate letters, '*' (no
/// residue) and '~' (missing). Code i is written kResidueLetters[i].
inline constexpr std::string_view kResidueLetters = "ACDEFGHIKLMNPQRSTVWY-BJZOUX*~";
inline constexpr u32 kAminoAcids = 20;
inline constexpr u32 kResidueCodes = 29;
inline constexpr u8 kGap = 20;

/// The code of a letter in a FASTA file as hmmsearch 3.3.2 reads it, or nullopt if hmmsearch
/// rejects the file. hmmsearch accepts '_' and '.' as the gap but not '-', and '*' and '~' as
/// residues that nothing emits.
std::optional<u8> residue_code(char letter);

}  // namespace gpuseq::profile_hmm
