#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "kernels/profile_hmm/data/sequences.hpp"
#include "kernels/profile_hmm/scores.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::profile_hmm {

/// Raw scores of a model against every sequence, by the three filters.
struct RawScores {
  std::vector<RawScore> ssv, msv, viterbi;
  std::vector<float> bias_nats = {};  // if they are known already, else empty
  bool viterbi_of_all = true;         // false: only of sequences that pass the bias filter
};

/// The number of sequences that pass each of a model's filters.
struct PassCounts {
  u64 sequences = 0, msv = 0, bias = 0, viterbi = 0;
  void add(const Passage& passage);
  PassCounts& operator+=(const PassCounts& more);
};

/// The columns of exec's table, each with a one-line description.
const std::vector<std::pair<std::string_view, std::string_view>>& score_columns();

/// Writes the line of column names.
void write_score_header(std::ostream& out);

/// Writes a line for each sequence, in the order of the sequences.
PassCounts write_scores(std::ostream& out, const Model& model, const Profile& profile,
                        const Sequences& sequences, const RawScores& raw, ThreadPool& pool);

/// A model's counts in the form of hmmsearch's summary.
std::string summary(const Model& model, const Sequences& sequences, const PassCounts& counts);

}  // namespace gpuseq::profile_hmm
