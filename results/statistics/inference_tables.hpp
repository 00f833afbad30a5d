#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "results/statistics/median_law.hpp"

namespace gpuseq::results {

/// Laws that depend on counts of values only, each made when it is first asked for: the states of a
/// comparison mostly have the same counts. To be used by one thread.
class InferenceTables {
 public:
  /// See MedianLaw.
  const MedianLaw& median_law(std::size_t values, std::size_t size);

  /// Shares of the ways to place `a` values of one side among `b` of the other, by the number of pairs in
  /// which the first side is ahead (Mann and Whitney 1947).
  const std::vector<double>& distribution_of_u(std::size_t a, std::size_t b);

 private:
  using Counts = std::pair<std::size_t, std::size_t>;
  std::map<Counts, MedianLaw> median_laws_;
  std::map<Counts, std::vector<double>> distributions_of_u_;
};

}  // namespace gpuseq::results
