#pragma once

#include <functional>
#include <optional>

#include "kernels/papara/scoring.cuh"
#include "runtime/contract/expectation.hpp"
#include "runtime/contract/needs.hpp"

namespace gpuseq::papara {

/// What is taken of evolved data where a problem's axes say 0.
inline constexpr u32 kEvolvedReferences = 64;
inline constexpr u64 kEvolvedQueries = 100;

/// A problem of evolved data, as its axes tell it.
struct Outline {
  Alphabet alphabet = Alphabet::dna;
  u32 references = 0;
  double cells_of_reference = 0;  // of all queries, about: their lengths are drawn

  double cells() const { return cells_of_reference * references; }
};

Penalties penalties_of(const Point& problem);
Alphabet alphabet_of(const Point& problem);

/// The work of so many cells.
Work cells_work(double cells);

/// What a launch is expected to execute, of evolved data.
/// @throws what `count` throws
Maybe<Expectation> expectation_of(const StateOutline& state,
                                  const std::function<Executed(const Outline& outline)>& count);

}  // namespace gpuseq::papara
