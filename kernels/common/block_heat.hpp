#pragma once

#include <span>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq {

/// A share of all visits that, with those of all larger layers, no cache serves better than visits spread
/// evenly over so many blocks.
struct HeatLayer {
  double blocks = 0;
  double share = 0;  // of all visits; those of all layers are 1
};

/// What is left of visits to blocks that are not all as hot as each other, whatever of them a cache holds.
/// Of evenly visited ones (but for a hundredth) that is one layer, of all blocks that are visited. Else there
/// are up to three more, a quarter of an octave, three quarters and two octaves below, and what is left is a
/// layer of one block.
///
/// Let miss(m) be the visits outside the hottest m blocks. A cache of m < c blocks misses that many at least,
/// and of n visits spread evenly over c blocks n (1 - m / c). So of n = min miss(m) / (1 - m / c) visits it
/// misses no more than of these. Caches of more than 15/16 of c are not asked: what they miss is hard to
/// tell.
///
/// How hot a block is has to be told from few visits, of which the most are so many by chance. So each visit
/// is ranked by how often its block was visited but for it: then chance is no heat. What sampling leaves of
/// it, three standard deviations, is added to what is missed. Few visits a block tell less heat than there
/// is.
/// @param visits  of each block by different queries, and of places that are none: 0
std::vector<HeatLayer> heat_layers(std::span<const u32> visits);

}  // namespace gpuseq
