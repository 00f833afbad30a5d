#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "probes/cpu/memory.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::probes {

/// A walk along the random cycle through every node of a footprint; each node holds the address of the next.
class Chase {
 public:
  // 0.1 ms in the first cache, ten times that in memory: every pass over the points can afford some.
  static constexpr std::uint64_t kAccesses = 100'000;

  /// Writes the cycle to the first `footprint_bytes`, unless it is there.
  Chase(std::shared_ptr<CpuMemory> memory, std::size_t footprint_bytes, std::size_t stride_bytes,
        std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }
  /// Accesses that fill the caches as far as possible before a launch, which visits only a part of
  /// a large footprint.
  std::uint64_t warming_accesses() const;

  /// Follows `accesses` nodes on the calling thread.
  void follow(std::uint64_t accesses);
  /// Whether the chase from the first node ends where the order of the nodes implies.
  /// @param follow  calls follow() with the number of accesses it is given
  Verification verify(const std::function<void(std::uint64_t accesses)>& follow);

 private:
  const std::byte* node(std::uint64_t position) const;

  std::shared_ptr<CpuMemory> memory_;
  std::size_t stride_bytes_;
  std::uint64_t nodes_, seed_;
  const std::byte* at_;
};

}  // namespace gpuseq::probes
