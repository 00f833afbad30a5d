#pragma once

#include <functional>
#include <memory>

#include "kernels/profile_hmm/exec/score_table.hpp"

namespace gpuseq::profile_hmm {

/// Raw scores of sequences by a filter, in their order.
using ScoreBy = std::function<std::vector<RawScore>(Filter, const std::shared_ptr<const Sequences>&)>;

/// The sequences that exec's table has rows of.
struct Scored {
  std::shared_ptr<const Sequences> sequences;
  RawScores raw;
};

/// All sequences by all filters.
Scored score_all(const std::shared_ptr<const Sequences>& sequences, const ScoreBy& score);

/// Those that pass the MSV filter, each later filter only of what passes the one before, as hmmsearch does:
/// SSV of all; MSV where SSV passes, for its column, or cannot decide; Viterbi where the bias filter passes,
/// also where hmmsearch leaves it out because P of MSV is at most F2 already.
Scored score_passing(const Model& model, const Profile& profile,
                     const std::shared_ptr<const Sequences>& sequences, const ScoreBy& score,
                     ThreadPool& pool);

}  // namespace gpuseq::profile_hmm
