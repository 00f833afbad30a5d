#include "probes/cuda/load_path/chain.hpp"

#include <cstring>

#include "probes/cuda/access.cuh"

namespace gpuseq::probes {

std::uint64_t LoadChain::offset(std::uint64_t position) const {
  const std::uint64_t place = position % nodes;
  if (ascending || nodes < 2) return place * stride_bytes;
  return node_at(place, nodes, bits_below(nodes), seed) * stride_bytes;
}

void LoadChain::write(std::span<std::byte> image, std::uint64_t base, std::uint64_t unit) const {
  for (std::uint64_t i = 0; i < nodes; ++i) {
    const u64 next = address(i + 1, base, unit);
    std::memcpy(image.subspan(offset(i)).data(), &next, sizeof next);
  }
}

std::uint64_t timed_loads(std::uint64_t nodes) {
  constexpr std::uint64_t kFewest = 4096;  // 80 microseconds at 20 ns
  return (kFewest + nodes - 1) / nodes * nodes;
}

}  // namespace gpuseq::probes
