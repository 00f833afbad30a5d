#pragma once

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/filter.cuh"
#include "runtime/contract/cost.hpp"

namespace gpuseq::profile_hmm {

/// Sizes of random data for axes with value 0.
inline constexpr u64 kRandomSequences = 20'000;

/// Match states of the model of a problem's point; 0: known only from its file.
inline u32 outlined_length(const Point& problem) {
  return problem.word("models") == "random" ? static_cast<u32>(problem.integer("model_length")) : 0;
}
/// Assumed if the length is not known.
inline constexpr u32 kUsualLength = 400;

/// The random sequences of a problem's point.
SequenceGeneration generation_of(const Point& problem);

/// Sizes of a problem before it is loaded, upper estimates; 0: known only from its files.
struct OutlinedSizes {
  u32 model_length = 0;
  u64 sequences = 0;
  u64 residues = 0;

  bool known() const { return sequences > 0; }
  double cells() const { return model_length * static_cast<double>(residues); }
};
OutlinedSizes outlined_sizes(const StateOutline& state);

/// The reason why a state has no bound on such a CPU.
inline constexpr const char* kNoVectors = "this processor's vectors have no probe";

}  // namespace gpuseq::profile_hmm
