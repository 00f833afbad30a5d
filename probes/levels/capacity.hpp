#pragma once

#include <cstddef>
#include <span>

#include "probes/levels/level_search.hpp"

namespace gpuseq::probes {

/// The capacity of a level with its 95 % interval, in log2 bytes.
struct CapacityEstimate {
  double at = 0, low = 0, high = 0;
};

/// One estimate of a place with its standard deviation, from one curve or one method.
struct PlaceOfOne {
  double at = 0, deviation = 0;
};

/// The mean of places that may differ by more than their uncertainties: DerSimonian and Laird 1986, with
/// Student's t for few places.
/// @throws nothing; all 0 without places
CapacityEstimate mean_place(std::span<const PlaceOfOne> places);

/// A component's place according to the curves that show it, each by the profile of its own criterion, with
/// all other levels fixed.
CapacityEstimate estimate_capacity(const LevelSearch& search, std::size_t component,
                                   std::span<const std::size_t> showing);

}  // namespace gpuseq::probes
