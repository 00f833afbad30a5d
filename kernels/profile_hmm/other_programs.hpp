#pragma once

#include "kernels/profile_hmm/problem.hpp"
#include "runtime/contract/agreement.hpp"

namespace gpuseq::profile_hmm {

/// The number of sequences that both pass HMMER's MSV filter by the oracle's scores and are listed by a
/// program. Keys are sequence numbers, from 1.
/// @returns the reason if the problem is too large for the oracle
Maybe<Agreement> agreement(const FilterProblem& problem, const Answers& answers);

}  // namespace gpuseq::profile_hmm
