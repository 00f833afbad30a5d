#pragma once

#include <span>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq {

/// A share of all visits. Together with the shares of all larger layers, no cache serves it better than
/// visits spread evenly over `blocks` blocks.
struct HeatLayer {
  double blocks = 0;
  double share = 0;  // of all visits; the shares of all layers add up to 1
};

/// Layers of visits to blocks with different access frequencies, as a bound for any cache. Visits that
/// are even, except for a hundredth, give one layer of all visited blocks. Otherwise there are up to
/// three more layers, a quarter of an octave, three quarters and two octaves below, and the rest is a
/// layer of one block.
///
/// Let miss(m) be the visits outside the hottest m blocks. A cache of m < c blocks misses at least
/// miss(m) visits, and of n visits spread evenly over c blocks n (1 - m / c). So it misses no more of n
/// = min miss(m) / (1 - m / c) such visits. Caches of more than 15/16 of c are not tested: their misses
/// are hard to estimate.
///
/// The frequency of a block is estimated from few visits, and the largest counts are partly chance. Each
/// visit is therefore ranked by the number of other visits to its block, which removes this bias. Three
/// standard deviations of the remaining sampling error are added to the misses. With few visits per block,
/// the estimated differences are too small.
/// @param visits  of each block by different queries, and 0 for places that are not blocks
std::vector<HeatLayer> heat_layers(std::span<const u32> visits);

}  // namespace gpuseq
