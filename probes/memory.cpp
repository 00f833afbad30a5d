#include "probes/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "probes/cuda/access.cuh"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {

std::uint32_t block_checksum(std::uint64_t block, std::uint64_t block_bytes) {
  const std::uint64_t granules = block_bytes / kGranuleBytes;
  std::uint32_t sum = 0;
  for (std::uint64_t i = 0; i < granules; ++i) sum ^= folded(granule_at(block * granules + i));
  return sum;
}

std::string ProbeProblem::hash() const {
  return hash_hex16(fmt::format("{}/{}", probe_, seed_));
}

std::uint32_t expected_checksum(const RandomAccesses& a) {
  const auto of = [&a](std::size_t begin, std::size_t end) {
    std::uint32_t sum = 0;
    for (std::uint64_t generator = begin; generator < end; ++generator) {
      std::uint64_t state = first_state(a.seed, generator);
      const std::uint64_t first = a.first_block.empty() ? 0 : a.first_block[generator];
      for (std::uint64_t i = 0; i < a.accesses_per_generator; ++i) {
        const std::uint64_t block = first + block_of(state, a.blocks);
        sum ^= block_checksum(block, a.block_bytes);
        state = next_state(a.dependent ? state + tag_of(block * (a.block_bytes / kGranuleBytes)) : state);
      }
    }
    return sum;
  };
  // A GPU's check has a million blocks, and checks are a large part of the time for a machine profile.
  constexpr std::uint64_t kWorthAThread = 1 << 16;
  const std::uint64_t accesses = a.generators * a.accesses_per_generator;
  const auto threads = std::min<std::uint64_t>(accesses / kWorthAThread, available_cpus());
  if (threads < 2) return of(0, a.generators);
  std::atomic<std::uint32_t> sum{0};
  ThreadPool pool(static_cast<int>(threads));
  pool.parallel_for(a.generators, piece_size(a.generators, pool.size(), 1),
                    [&](std::size_t begin, std::size_t end) { sum ^= of(begin, end); });
  return sum;
}

std::uint32_t expected_checksum(std::uint64_t granules) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = 0; i < granules; ++i) sum ^= folded(granule_at(i));
  return sum;
}

std::uint64_t launch_seed(std::uint64_t seed, std::uint64_t launch) {
  return mix64(seed ^ mix64(launch + 1));
}

void require_free(const Device& device, std::size_t bytes, std::size_t given_back) {
  const std::size_t free = device.free_bytes() + given_back;
  if (bytes > free)
    throw DoesNotFit(
        fmt::format("a footprint of {} bytes does not fit: {} has {} free", bytes, device.id(), free));
}

Verification compare_checksums(std::uint32_t found, std::uint32_t expected, std::uint64_t checked) {
  Verification result{found == expected, checked, {}};
  if (!result.passed) result.reason = fmt::format("checksum {:08x}, expected {:08x}", found, expected);
  return result;
}

}  // namespace gpuseq::probes
