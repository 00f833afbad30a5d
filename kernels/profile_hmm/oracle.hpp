#pragma once

#include "kernels/profile_hmm/scores.hpp"

namespace gpuseq::profile_hmm {

/// The raw score of one sequence by the filter's recurrence, in wide integers that are clamped where HMMER's
/// saturate: cell by cell, one row, no vectors. The reference of the variants; itself checked against HMMER.
RawScore oracle_score(const Profile& profile, Filter filter, std::span<const u8> residues);

/// The score of HMMER's MSV filter, the first of hmmsearch's: SSV's score, or MSV's if SSV cannot decide.
/// @param residues  at least one
FilterScore oracle_msv_filter(const Profile& profile, std::span<const u8> residues);

/// Whether HMMER's Viterbi filter may skip D -> D where it matters: it skips rows in which B -> M beats D ->
/// D by Profile::delete_bound. The bound is too low if it wrapped in 16 bits (a position that cannot be
/// entered, after deletions that cost nothing) or if a deletion gains. hmmbuild makes no such model. The
/// oracle follows HMMER, but the variants, which always follow D -> D or use the correct bound, do not.
/// Problems therefore reject such a model for this filter.
bool delete_bound_is_low(const Profile& profile);

}  // namespace gpuseq::profile_hmm
