#pragma once

#include "kernels/profile_hmm/data/model.hpp"
#include "kernels/profile_hmm/data/sequences.hpp"

namespace gpuseq::profile_hmm {

/// A seeded model of `length` match states similar to those of hmmbuild: conserved and variable positions,
/// plausible transitions, COMPO, and Gumbel parameters calibrated like hmmbuild's (location fitted to the
/// scores of random sequences, lambda by its formula).
Model random_model(u32 length, u64 seed);

struct SequenceGeneration {
  u64 count = 0;
  double homologs = 0.01;  // share of the sequences with a domain emitted from the model
  u32 longest = 40'000;
};
/// Seeded sequences of HMMER's background composition with the length distribution of Swiss-Prot.
Sequences random_sequences(const Model& model, const SequenceGeneration& generation, u64 seed);
/// Upper bound of the residues of such sequences, exceeded for about one seed in a million.
u64 most_residues(u32 model_length, const SequenceGeneration& generation);

}  // namespace gpuseq::profile_hmm
