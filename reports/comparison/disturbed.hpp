#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "reports/comparison/comparison.hpp"

namespace gpuseq::comparison {

/// How fast the witness was at its best, over all processes of both sides: a process that neighbours
/// disturbed for all of its life cannot know it. Devices and numbers of threads have bests of their own.
class WitnessBests {
 public:
  explicit WitnessBests(std::initializer_list<const Side*> sides);

  /// Whether most samples of each of these records of a process were disturbed.
  /// @returns none where a record does not say
  std::optional<bool> are_disturbed(std::span<const ComparedRecord* const> records) const;

 private:
  std::map<std::pair<std::string, int>, double> best_s_;  // by device and threads
};

}  // namespace gpuseq::comparison
