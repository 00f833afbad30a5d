#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuseq::probes {

/// A chain of loads through nodes that are `stride_bytes` apart, once through each and back to the first.
struct LoadChain {
  std::uint64_t nodes = 1;
  std::uint64_t stride_bytes = 16;  // a multiple of 16
  bool ascending = false;           // else in a random order, the same for the same seed
  std::uint64_t seed = 0;

  /// Offset in bytes of the node that is visited at a position, which may be beyond one round.
  std::uint64_t offset(std::uint64_t position) const;
  /// What a path's loads take for the node at a position.
  /// @param base  what they take for offset 0
  /// @param unit  bytes that an address counts: 16 of a texture's texels, else 1
  std::uint64_t address(std::uint64_t position, std::uint64_t base, std::uint64_t unit) const {
    return base + offset(position) / unit;
  }
  /// Writes into the first 8 bytes of each node the address of the node after it.
  /// @param image  of nodes * stride_bytes
  void write(std::span<std::byte> image, std::uint64_t base, std::uint64_t unit) const;
};

/// Loads of the timed part of a launch: whole rounds, so that each node is visited alike often, of so many
/// loads that the readings of the clock do not show.
std::uint64_t timed_loads(std::uint64_t nodes);

}  // namespace gpuseq::probes
