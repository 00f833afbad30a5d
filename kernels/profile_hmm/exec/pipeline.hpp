#pragma once

#include <functional>
#include <memory>

#include "kernels/profile_hmm/exec/score_table.hpp"

namespace gpuseq::profile_hmm {

/// Returns the raw scores of sequences by a filter, in the order of the sequences.
using ScoreBy = std::function<std::vector<RawScore>(Filter, const std::shared_ptr<const Sequences>&)>;

/// The sequences in the rows of exec's table.
struct Scored {
  std::shared_ptr<const Sequences> sequences;
  RawScores raw;
};

/// Scores all sequences with all filters.
Scored score_all(const std::shared_ptr<const Sequences>& sequences, const ScoreBy& score);

/// The sequences that pass the MSV filter, scored like hmmsearch, each filter only on the sequences that
/// pass the previous one. SSV scores all sequences; MSV those that pass SSV (for its column) or on which
/// SSV cannot decide; Viterbi those that pass the bias filter, also those that hmmsearch skips because P of
/// MSV is at most F2.
Scored score_passing(const Model& model, const Profile& profile,
                     const std::shared_ptr<const Sequences>& sequences, const ScoreBy& score,
                     ThreadPool& pool);

}  // namespace gpuseq::profile_hmm
