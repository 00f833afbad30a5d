#pragma once

#include <array>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "kernels/profile_hmm/data/amino_acids.hpp"

namespace gpuseq::profile_hmm {

/// Transitions of a node, in the order of HMMER3 files.
enum Transition : u32 { kMM, kMI, kMD, kIM, kII, kDM, kDD, kTransitions };

/// Location and slope of the Gumbel distribution that a filter's scores of random sequences have, in bits.
struct Gumbel {
  float mu = 0;
  float lambda = 0;
};

/// A profile HMM as in a HMMER3 file: probabilities, in the precision that HMMER keeps them in.
struct Model {
  std::string name;
  std::string accession;  // may be empty
  u32 length = 0;         // match states
  /// [length + 1][amino acids]; node 0 has no match state.
  std::vector<std::array<float, kAminoAcids>> match;
  /// [length + 1][transitions]; node 0 is the begin state.
  std::vector<std::array<float, kTransitions>> transitions;
  /// Mean composition (COMPO); of HMMER's bias filter. Zeros in a file without it, as HMMER has them.
  std::array<float, kAminoAcids> composition{};
  Gumbel msv;
  Gumbel viterbi;
  Gumbel forward;    // of HMMER's Forward scores (mu: tau of an exponential tail); not used here, but kept
  std::string file;  // it was read from; empty: generated
  std::size_t line = 0;  // of the file, from 1, at which it begins
};

/// All models of a HMMER3 ASCII file (3/a to 3/f), plain or gzip.
/// @throws UsageError (file, line) for anything that hmmsearch 3.3.2 refuses, other alphabets than amino, and
/// models without STATS lines, of which hmmsearch lets nothing pass, with what hmmsearch takes for a number
/// although it is none, or with control characters in their name
std::vector<Model> read_models(const std::filesystem::path& path);

/// Writes a HMMER3/f file that read_models() and hmmsearch read. Numbers that came from a file are the same
/// again; of others a file, which has logarithms, holds the nearest. Inserts, which the filters do not score,
/// emit the background.
void write_model(std::ostream& out, const Model& model);

}  // namespace gpuseq::profile_hmm
