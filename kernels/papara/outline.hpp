#pragma once

#include "kernels/papara/scoring.cuh"
#include "runtime/contract/point.hpp"

namespace gpuseq::papara {

/// What is taken of evolved data where a problem's axes say 0.
inline constexpr u32 kEvolvedReferences = 64;
inline constexpr u64 kEvolvedQueries = 100;

Penalties penalties_of(const Point& problem);
Alphabet alphabet_of(const Point& problem);

}  // namespace gpuseq::papara
