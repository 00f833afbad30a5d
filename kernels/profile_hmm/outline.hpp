#pragma once

#include "kernels/profile_hmm/filter.cuh"
#include "runtime/contract/point.hpp"

namespace gpuseq::profile_hmm {

/// What is taken of random data where a problem's axes say 0.
inline constexpr u64 kRandomSequences = 20'000;

/// Match states of the model that a problem's point asks for; 0: only its file tells.
inline u32 outlined_length(const Point& problem) {
  return problem.word("models") == "random" ? static_cast<u32>(problem.integer("model_length")) : 0;
}
/// Taken then.
inline constexpr u32 kUsualLength = 400;

}  // namespace gpuseq::profile_hmm
