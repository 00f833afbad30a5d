#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuseq::probes {

/// A chain of loads through nodes at a distance of `stride_bytes`, once through each and back to the first.
struct LoadChain {
  std::uint64_t nodes = 1;
  std::uint64_t stride_bytes = 16;  // a multiple of 16
  bool ascending = false;           // otherwise in a random order given by the seed
  std::uint64_t seed = 0;

  /// Byte offset of the node visited at a position, which may exceed one round.
  std::uint64_t offset(std::uint64_t position) const;
  /// The address, in the path's form, of the node at a position.
  /// @param base  the address of offset 0
  /// @param unit  bytes per address unit: 16 for a texture's texels, else 1
  std::uint64_t address(std::uint64_t position, std::uint64_t base, std::uint64_t unit) const {
    return base + offset(position) / unit;
  }
  /// Writes the address of the next node to the first 8 bytes of each node.
  /// @param image  of nodes * stride_bytes
  void write(std::span<std::byte> image, std::uint64_t base, std::uint64_t unit) const;
};

/// Loads of the timed part of a launch: whole rounds, so that all nodes are visited equally often, with
/// enough loads to hide the clock readings.
std::uint64_t timed_loads(std::uint64_t nodes);

}  // namespace gpuseq::probes
