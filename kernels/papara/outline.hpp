#pragma once

#include "kernels/papara/scoring.cuh"
#include "runtime/contract/cost.hpp"

namespace gpuseq::papara {

/// What is taken of evolved data where a problem's axes say 0.
inline constexpr u32 kEvolvedReferences = 64;
inline constexpr u64 kEvolvedQueries = 100;

Penalties penalties_of(const Point& problem);
Alphabet alphabet_of(const Point& problem);

/// Sizes of a problem before it is loaded, upper estimates but for `shortest`; 0: only its files tell.
struct OutlinedSizes {
  Alphabet alphabet = Alphabet::dna;
  u32 references = 0, sites = 0;
  u32 queries = 0;
  u32 shortest = 0, longest = 0;  // bases of a query
  double cells = 0;               // of all pairs

  bool known() const { return references > 0; }
  u64 bases() const { return u64{queries} * longest; }
};
OutlinedSizes outlined_sizes(const StateOutline& state);

/// Why a state on such a processor has no bound.
inline constexpr const char* kNoVectors = "this processor's vectors have no probe";

}  // namespace gpuseq::papara
