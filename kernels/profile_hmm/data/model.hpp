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

/// Location and slope of the Gumbel distribution of a filter's scores for random sequences, in bits.
struct Gumbel {
  float mu = 0;
  float lambda = 0;
};

/// A profile HMM of a HMMER3 file: probabilities in HMMER's precision.
struct Model {
  std::string name;
  std::string accession;  // may be empty
  u32 length = 0;         // match states
  /// [length + 1][amino acids]; node 0 has no match state.
  std::vector<std::array<float, kAminoAcids>> match;
  /// [length + 1][transitions]; node 0 is the begin state.
  std::vector<std::array<float, kTransitions>> transitions;
  /// Mean composition (COMPO), for HMMER's bias filter. Zeros if a file has none, as in HMMER.
  std::array<float, kAminoAcids> composition{};
  Gumbel msv;
  Gumbel viterbi;
  Gumbel forward;    // for HMMER's Forward scores (mu: tau of an exponential tail); stored but not used here
  std::string file;  // the file it was read from; empty: generated
  std::size_t line = 0;  // first line in the file, from 1
};

/// All models of a HMMER3 ASCII file (3/a to 3/f), plain or gzip.
/// @throws UsageError (file, line) if hmmsearch 3.3.2 rejects the file; for alphabets other than amino; for
/// models without STATS lines, for which hmmsearch passes no sequence; for invalid numbers that hmmsearch
/// accepts; and for control characters in a name
std::vector<Model> read_models(const std::filesystem::path& path);

/// Writes a HMMER3/f file for read_models() and hmmsearch. Numbers from a file are preserved; other
/// probabilities are rounded to the nearest that a file, with its logarithms, can represent. Inserts, which
/// the filters do not score, emit the background.
void write_model(std::ostream& out, const Model& model);

}  // namespace gpuseq::profile_hmm
