#pragma once

#include "kernels/profile_hmm/data/model.hpp"

namespace gpuseq::profile_hmm {

/// Mean over the match states of the relative entropy of their emissions to the background, in bits.
double mean_relative_entropy(const Model& model);

/// Sets the Gumbel parameters like hmmbuild, with the decimals of a file: lambda by the formula of p7_Lambda,
/// mu by a fit to the scores of seeded random sequences of 200 residues. There are 200 sequences, as in
/// HMMER, but fewer for long models (50 at 2,400 match states, 24 from 5,000 on), so that it takes about a
/// second at most; mu is then accurate to 0.1 to 0.3 bits. The parameters of Forward, which this project does
/// not compute, are approximate. Source: HMMER 3.3.2, p7_Lambda, p7_MSVMu, p7_ViterbiMu,
/// esl_gumbel_FitCompleteLoc.
void calibrate(Model& model, u64 seed);

}  // namespace gpuseq::profile_hmm
