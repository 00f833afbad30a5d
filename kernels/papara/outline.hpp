#pragma once

#include "kernels/papara/scoring.cuh"
#include "runtime/contract/cost.hpp"

namespace gpuseq::papara {

/// Sizes of evolved data for axes with value 0.
inline constexpr u32 kEvolvedReferences = 64;
inline constexpr u64 kEvolvedQueries = 100;

Penalties penalties_of(const Point& problem);
Alphabet alphabet_of(const Point& problem);

/// Sizes of a problem before it is loaded: upper estimates, except `shortest`; 0: known only from its files.
struct OutlinedSizes {
  Alphabet alphabet = Alphabet::dna;
  u32 references = 0, sites = 0;
  u32 queries = 0;
  u32 shortest = 0, longest = 0;  // bases of a query
  double cells = 0;               // cells of all pairs

  bool known() const { return references > 0; }
  u64 bases() const { return u64{queries} * longest; }
};
OutlinedSizes outlined_sizes(const StateOutline& state);

/// The reason why a state has no bound on such a CPU.
inline constexpr const char* kNoVectors = "this processor's vectors have no probe";

}  // namespace gpuseq::papara
