#pragma once

#include <cstddef>
#include <cstdint>

#include "probes/memory.hpp"
#include "runtime/contract/point.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::probes {

/// Writes granule_at() of the indices [begin, end) to memory, on the calling thread.
void fill_granules(std::byte* memory, std::size_t begin, std::size_t end);

/// Host memory of the CPU probes; filled by all cores.
class CpuMemory final : public Memory {
 public:
  /// Memory for the footprint of a point, with its page size and on its NUMA node (`memory_node`). A small
  /// footprint is at another place of a larger buffer each time: the cache sets of its pages, and the host's
  /// pages under a virtual machine, are chance and must differ between passes.
  /// @throws DoesNotFit if the machine has not enough memory; ResourceError if it has none of this kind
  static std::shared_ptr<CpuMemory> of(ProbeProblem& problem, const Point& point, const Device& device);

  std::byte* data() { return buffer_.data() + offset_; }
  /// Ensures that every granule of the first `bytes` is granule_at() of its index.
  void hold_granules(std::size_t bytes);
  /// Ensures a chase through all nodes of the first `bytes`: a node's first 8 bytes are the
  /// address of the next.
  void hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed);

 private:
  /// Selects the next place for a footprint.
  void place(std::size_t bytes);

  HugeBuffer buffer_;
  std::size_t offset_ = 0;
  std::uint64_t places_ = 0;  // state of the random numbers that select places
};

}  // namespace gpuseq::probes
