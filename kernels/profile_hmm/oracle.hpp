#pragma once

#include "kernels/profile_hmm/scores.hpp"

namespace gpuseq::profile_hmm {

/// The raw score of one sequence, by the filter's recurrence written straight down in wide integers that are
/// clamped where HMMER's saturate: one cell after the other, one row, no vectors. What the variants are
/// checked against; itself checked against HMMER.
RawScore oracle_score(const Profile& profile, Filter filter, std::span<const u8> residues);

}  // namespace gpuseq::profile_hmm
