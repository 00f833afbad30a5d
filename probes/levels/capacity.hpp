#pragma once

#include <cstddef>
#include <span>

#include "probes/levels/level_search.hpp"

namespace gpuseq::probes {

/// Where a level ends, with its 95 % interval, log2 bytes.
struct CapacityEstimate {
  double at = 0, low = 0, high = 0;
};

/// One place, and how far it is known (standard deviation), as one curve or one method has it.
struct PlaceOfOne {
  double at = 0, deviation = 0;
};

/// The mean of places that may differ by more than each is known: DerSimonian and Laird 1986, with Student's
/// t for few.
/// @throws nothing; none given: all 0
CapacityEstimate mean_place(std::span<const PlaceOfOne> places);

/// A component's place as the curves that show it have it, each by the profile of its own criterion, all
/// other levels being where they are.
CapacityEstimate estimate_capacity(const LevelSearch& search, std::size_t component,
                                   std::span<const std::size_t> showing);

}  // namespace gpuseq::probes
