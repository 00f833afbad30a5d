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

/// Most cells that the oracle computes for a problem, unless the least number of sequences has more.
double checked_cells(Filter filter);

/// All sequences of a problem with at most `most_cells` cells, else a seeded selection of at least 16: the
/// first and the last, the longest and the shortest, then sequences of all lengths.
std::vector<u64> choose_sequences(const Sequences& sequences, u32 model_length, double most_cells);

/// The oracle's scores of these sequences.
std::vector<RawScore> oracle_scores(const Profile& profile, Filter filter, const Sequences& sequences,
                                    std::span<const u64> chosen, ThreadPool& pool);

/// The sequences with the highest scores, which saturate first: at most 16 with at most `most_cells` cells.
std::vector<u64> highest_scoring(const Sequences& sequences, u32 model_length,
                                 std::span<const RawScore> scores, double most_cells);

}  // namespace gpuseq::profile_hmm
