#pragma once

#include <cstdint>
#include <string>

#include "runtime/contract/device.hpp"
#include "runtime/contract/problem.hpp"

namespace gpuseq {

/// Agreement of a program's answers with the oracle's, for a program that solves a similar but
/// not the same problem.
struct Agreement {
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;            // number of equal answers
  std::string first_difference = {};  // empty if there is none
};

/// Compares the answers of a program that is not expected to find all results of a family's variants.
/// @param problem  of the family
/// @param answers  with the keys of Problem::write_files()
/// @returns the reason if nothing can be compared
/// @throws UsageError for the answer to a query that the problem lacks
using Compare = Maybe<Agreement> (*)(const Problem& problem, const Answers& answers);

}  // namespace gpuseq
