#pragma once

#include <vector>

#include "runtime/contract/family.hpp"
#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::exact_match {

/// Memory whose bytes are all equally likely to be read.
struct EvenMemory {
  double bytes = 0;
  double blocks = 0;  // read from it per launch
};

/// The class with the least footprint includes all hotter memory. Smaller caches are private to a core.
inline constexpr std::size_t kLeastClassBytes = std::size_t{64} << 10;

/// Distributes the blocks read in some memories over classes of all memories together. Memory with more reads
/// per byte is hotter; all touched places of one memory are equally hot. A memory that a launch does not
/// touch completely counts with the bytes that blocks at random places touch: caches need not keep more of it
/// from one launch to the next.
/// @returns classes with blocks, footprints ascending
std::vector<TrafficClass> classes_of(std::vector<EvenMemory> memories, u32 block_bytes);

/// The sum of both, class by class.
std::vector<TrafficClass> joined(const std::vector<TrafficClass>& a, const std::vector<TrafficClass>& b);

}  // namespace gpuseq::exact_match
