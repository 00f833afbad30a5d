#pragma once

#include <vector>

#include "runtime/contract/family.hpp"
#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::exact_match {

/// Memory of which each byte is as likely to be read as any other.
struct EvenMemory {
  double bytes = 0;
  double blocks = 0;  // read there, per launch
};

/// The class of the least footprint has all that is hotter. Caches below are a core's own.
inline constexpr std::size_t kLeastClassBytes = std::size_t{64} << 10;

/// How the blocks that are read in some memories are spread over all of them together: what is read more
/// often, per byte, is hotter, and within one the places that are read at all are equally hot. Of a memory so
/// large that a launch does not come to all of it only as much counts as blocks at random places touch:
/// caches need not hold more of it from one launch to the next.
/// @returns classes with blocks, footprints ascending
std::vector<TrafficClass> classes_of(std::vector<EvenMemory> memories, u32 block_bytes);

/// The blocks of both, class by class.
std::vector<TrafficClass> joined(const std::vector<TrafficClass>& a, const std::vector<TrafficClass>& b);

}  // namespace gpuseq::exact_match
