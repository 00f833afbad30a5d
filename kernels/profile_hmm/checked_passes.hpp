#pragma once

#include "kernels/profile_hmm/exec/score_table.hpp"

namespace gpuseq::profile_hmm {

/// How many sequences pass, by the oracle's scores; like hmmsearch it computes MSV and Viterbi only where
/// they are needed.
PassCounts oracle_passes(const Model& model, const Profile& profile, const Sequences& sequences,
                         ThreadPool& pool);

/// Which sequences pass the first of the filters, MSV, by the oracle's scores: 1 for each that does.
std::vector<u8> oracle_msv_passes(const Model& model, const Profile& profile, const Sequences& sequences,
                                  ThreadPool& pool);

}  // namespace gpuseq::profile_hmm
