#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Arithmetic shared by the CPU probes, the CUDA probes and the checks of both: the next address, the content
// of memory, and the order in which a pointer chase visits its nodes.

namespace gpuseq::probes {

/// Unit of content: the bytes that one lane reads at once.
constexpr u32 kGranuleBytes = 16;
/// All granules within an aligned piece of this size have the same tag, so that every lane of a group that
/// reads one block computes the same next address without communication.
constexpr u32 kTaggedBytes = 1024;
/// Bytes that a load thread of loaded_latency moves between two pauses.
constexpr u32 kPieceBytes = 4096;

/// Targets of atomics: 32-bit counters of a line, of a block's shared memory, and consecutive lines.
constexpr u32 kCountersOfLine = 32, kSharedCounters = 1024, kStepsAtOnce = 8;
/// Nodes of load_path in constant memory, which they fill, and in a block's shared memory.
constexpr u32 kConstantNodesBytes = 65536, kSharedNodesBytes = 32768;
/// Shared memory per block in the probe cluster.
constexpr u32 kClusterBytes = 32768;
/// Barriers between two branches in the probe barrier.
constexpr u32 kBarriersOfRound = 64;

/// Finaliser of SplitMix64 (Steele, Lea and Flood 2014).
GPUSEQ_HD u64 mix64(u64 z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// Address generator: a 64-bit linear congruential generator (Knuth's MMIX), of which only the high bits are
/// used. One multiplication and one addition per step, two multiplications per address, no division.
GPUSEQ_HD u64 first_state(u64 seed, u64 generator) {
  return mix64(seed + (generator + 1) * 0x9e3779b97f4a7c15ull);
}
GPUSEQ_HD u64 next_state(u64 state) {
  return state * 6364136223846793005ull + 1442695040888963407ull;
}
/// The block in [0, blocks) of a state: the state's high 32 bits as a fraction of 2^32. (With more than 2^32
/// blocks some are never reached, but the blocks are spaced evenly.)
GPUSEQ_HD u64 block_of(u64 state, u64 blocks) {
#if defined(__CUDA_ARCH__)
  const u64 share = state >> 32;
  return (share * static_cast<u32>(blocks) >> 32) + share * (blocks >> 32);
#else
  __extension__ using Wide = unsigned __int128;  // the same number by one multiplication
  return static_cast<u64>((static_cast<Wide>(state >> 32 << 32) * blocks) >> 64);
#endif
}

/// The content of granule number `index` of a footprint.
struct Granule {
  u32 tag, low, high, index;
};

GPUSEQ_HD u32 tag_of(u64 granule) {
  return static_cast<u32>(mix64(granule / (kTaggedBytes / kGranuleBytes)));
}

GPUSEQ_HD Granule granule_at(u64 index) {
  const u64 product = (index + 1) * 0x9e3779b97f4a7c15ull;
  return {tag_of(index), static_cast<u32>(product), static_cast<u32>(product >> 32), static_cast<u32>(index)};
}

GPUSEQ_HD u32 folded(const Granule& granule) {
  return granule.tag ^ granule.low ^ granule.high ^ granule.index;
}

/// Smallest number of bits that holds every value below n, for n >= 2.
GPUSEQ_HD u32 bits_below(u64 n) {
  u32 bits = 1;
  while (bits < 64 && ((n - 1) >> bits) != 0) ++bits;
  return bits;
}

/// Node that a chase visits at `position`: a permutation of [0, nodes). Rounds of odd multiplication and
/// xor-shift permute the next power of two; values past the end are permuted again (cycle walking).
/// @param bits  bits_below(nodes)
GPUSEQ_HD u64 node_at(u64 position, u64 nodes, u32 bits, u64 seed) {
  const u64 mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  const u32 shift = bits / 2 + 1;
  u64 x = position;
  do {
    for (u32 round = 0; round < 4; ++round) {
      const u64 key = mix64(seed + round);
      x = (x * (key | 1) + (key >> 7)) & mask;
      x ^= x >> shift;
    }
  } while (x >= nodes);
  return x;
}

/// The lines to which a warp adds in one round in global memory: the first of kStepsAtOnce, at any start.
GPUSEQ_HD u64 first_line(u64 state, u64 lines) {
  return block_of(state, lines - kStepsAtOnce + 1);
}

}  // namespace gpuseq::probes
