#pragma once

#include "kernels/profile_hmm/exec/score_table.hpp"

namespace gpuseq::profile_hmm {

/// The number of sequences that pass each filter, by the oracle's scores. Like hmmsearch it computes MSV and
/// Viterbi only if needed.
PassCounts oracle_passes(const Model& model, const Profile& profile, const Sequences& sequences,
                         ThreadPool& pool);

/// For each sequence 1 if it passes MSV, the first filter, by the oracle's scores, else 0.
std::vector<u8> oracle_msv_passes(const Model& model, const Profile& profile, const Sequences& sequences,
                                  ThreadPool& pool);

}  // namespace gpuseq::profile_hmm
