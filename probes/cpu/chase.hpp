#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "probes/cpu/memory.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::probes {

/// A walk along the random cycle through every node of a footprint, each holding the address of the next.
class Chase {
 public:
  // A tenth of a millisecond in the first cache, ten in memory: so each pass over the points has time for
  // some.
  static constexpr std::uint64_t kAccesses = 100'000;

  /// Lays the cycle out in the first `footprint_bytes`, unless it is there.
  Chase(std::shared_ptr<CpuMemory> memory, std::size_t footprint_bytes, std::size_t stride_bytes,
        std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }
  /// Accesses with which a launch, which sees a part of a large footprint, finds in caches what these can
  /// hold.
  std::uint64_t warming_accesses() const;

  /// Goes on by so many nodes, on the calling thread.
  void follow(std::uint64_t accesses);
  /// Whether following from the first node leads to where the order of the nodes says.
  /// @param follow  calls follow() with as many accesses as it is given
  Verification verify(const std::function<void(std::uint64_t accesses)>& follow);

 private:
  const std::byte* node(std::uint64_t position) const;

  std::shared_ptr<CpuMemory> memory_;
  std::size_t stride_bytes_;
  std::uint64_t nodes_, seed_;
  const std::byte* at_;
};

}  // namespace gpuseq::probes
