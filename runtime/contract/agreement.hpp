#pragma once

#include <cstdint>
#include <string>

#include "runtime/contract/device.hpp"
#include "runtime/contract/problem.hpp"

namespace gpuseq {

/// How far the answers of a program whose question is a like one agree with the oracle's.
struct Agreement {
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;            // of those
  std::string first_difference = {};  // empty where there is none
};

/// Compares answers of a program that is not meant to find all that a family's variants find.
/// @param problem  one of the family
/// @param answers  in the words of Problem::write_files()
/// @returns the reason where nothing can be compared
/// @throws UsageError for the answer to a query that the problem lacks
using Compare = Maybe<Agreement> (*)(const Problem& problem, const Answers& answers);

}  // namespace gpuseq
