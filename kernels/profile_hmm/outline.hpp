#pragma once

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/filter.cuh"
#include "runtime/contract/cost.hpp"

namespace gpuseq::profile_hmm {

/// What is taken of random data where a problem's axes say 0.
inline constexpr u64 kRandomSequences = 20'000;

/// Match states of the model that a problem's point asks for; 0: only its file tells.
inline u32 outlined_length(const Point& problem) {
  return problem.word("models") == "random" ? static_cast<u32>(problem.integer("model_length")) : 0;
}
/// Taken then.
inline constexpr u32 kUsualLength = 400;

/// The random sequences that a problem's point asks for.
SequenceGeneration generation_of(const Point& problem);

/// Sizes of a problem before it is loaded, upper estimates; 0: only its files tell.
struct OutlinedSizes {
  u32 model_length = 0;
  u64 sequences = 0;
  u64 residues = 0;

  bool known() const { return sequences > 0; }
  double cells() const { return model_length * static_cast<double>(residues); }
};
OutlinedSizes outlined_sizes(const StateOutline& state);

/// Why a state on such a processor has no bound.
inline constexpr const char* kNoVectors = "this processor's vectors have no probe";

}  // namespace gpuseq::profile_hmm
