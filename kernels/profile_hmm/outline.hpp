#pragma once

#include <functional>
#include <optional>

#include "kernels/profile_hmm/filter.cuh"
#include "runtime/contract/expectation.hpp"
#include "runtime/contract/needs.hpp"

namespace gpuseq::profile_hmm {

/// What is taken of random data where a problem's axes say 0.
inline constexpr u64 kRandomSequences = 20'000;

/// Match states of the model that a problem's point asks for; 0: only its file tells.
u32 outlined_length(const Point& problem);
/// Taken then.
inline constexpr u32 kUsualLength = 400;

/// A problem of a random model, as its axes tell it.
struct Outline {
  Filter filter = Filter::ssv;
  u32 model_length = 0;
  double residues = 0;  // of all sequences, about: their lengths are drawn, or stand in a file
};

/// The work of so many residues.
Work cells_work(u32 model_length, double residues);

/// What a launch is expected to execute, of a random model.
/// @throws what `count` throws
Maybe<Expectation> expectation_of(const StateOutline& state,
                                  const std::function<Executed(const Outline& outline)>& count);

}  // namespace gpuseq::profile_hmm
