#pragma once

#include "kernels/profile_hmm/scores.hpp"

namespace gpuseq::profile_hmm {

/// The raw score of one sequence, by the filter's recurrence written straight down in wide integers that are
/// clamped where HMMER's saturate: one cell after the other, one row, no vectors. What the variants are
/// checked against; itself checked against HMMER.
RawScore oracle_score(const Profile& profile, Filter filter, std::span<const u8> residues);

/// What HMMER's MSV filter, the first of hmmsearch's, answers: SSV's score, or MSV's where that cannot
/// decide.
/// @param residues  at least one
FilterScore oracle_msv_filter(const Profile& profile, std::span<const u8> residues);

/// Whether HMMER's Viterbi filter may leave out D -> D where it counts: it skips it on rows where B -> M
/// beats it by Profile::delete_bound, which is too low if it wrapped round in 16 bits (a position that cannot
/// be entered, behind deletions that cost nothing) or if a deletion gains. hmmbuild makes no such model. The
/// oracle does as HMMER does; the variants, which always follow D -> D or test it by the bound that is right,
/// would not, so that problems refuse such a model for this filter.
bool delete_bound_is_low(const Profile& profile);

}  // namespace gpuseq::profile_hmm
