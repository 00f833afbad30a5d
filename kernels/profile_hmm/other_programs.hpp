#pragma once

#include "kernels/profile_hmm/problem.hpp"
#include "runtime/contract/agreement.hpp"

namespace gpuseq::profile_hmm {

/// Of the sequences that pass HMMER's MSV filter by the oracle's scores or that a program lists, how many are
/// both. Keys are their numbers, from 1.
/// @returns the reason for a problem that is too large for the oracle
Maybe<Agreement> agreement(const FilterProblem& problem, const Answers& answers);

}  // namespace gpuseq::profile_hmm
