#pragma once

#include <cstdint>
#include <string>

#include "runtime/contract/family.hpp"

namespace gpuseq {

/// How far the answers of a program whose question is a like one agree with the oracle's.
struct Agreement {
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;            // of those
  std::string first_difference = {};  // empty where there is none
};

/// A family that can tell it, of programs that are not meant to find all that its variants find.
class ComparingFamily {
 public:
  ComparingFamily() = default;
  ComparingFamily(const ComparingFamily&) = delete;
  ComparingFamily& operator=(const ComparingFamily&) = delete;
  virtual ~ComparingFamily() = default;
  /// @param problem  one of this family
  /// @param answers  in the words of Problem::write_files()
  /// @returns the reason where nothing can be compared
  /// @throws UsageError for an answer to what was not asked
  virtual Maybe<Agreement> compare(const Problem& problem, const Answers& answers) const = 0;
};

}  // namespace gpuseq
