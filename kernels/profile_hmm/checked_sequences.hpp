#pragma once

#include <vector>

#include "kernels/profile_hmm/data/sequences.hpp"
#include "kernels/profile_hmm/scores.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::profile_hmm {

/// Sequences with the oracle's scores.
struct CheckedSequences {
  std::vector<u64> sequences;  // ascending
  std::vector<RawScore> scores;
};

/// How many cells the oracle computes of a problem, unless its fewest sequences have more.
double checked_cells(Filter filter);

/// All sequences of a problem that has no more cells than that, else a seeded spread of at least 16: the
/// first and the last, the longest and the shortest, then sequences of all lengths.
std::vector<u64> choose_sequences(const Sequences& sequences, u32 model_length, double most_cells);

/// The oracle's scores of these sequences.
std::vector<RawScore> oracle_scores(const Profile& profile, Filter filter, const Sequences& sequences,
                                    std::span<const u64> chosen, ThreadPool& pool);

/// Those of the highest scores, at most 16 and at most so many cells: where variants would saturate first.
std::vector<u64> highest_scoring(const Sequences& sequences, u32 model_length,
                                 std::span<const RawScore> scores, double most_cells);

}  // namespace gpuseq::profile_hmm
