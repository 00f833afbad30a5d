#pragma once

#include <cstddef>

#include "probes/memory.hpp"
#include "runtime/contract/point.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::probes {

/// Makes granules [begin, end) of memory hold granule_at() of their indices, on the calling thread.
void fill_granules(std::byte* memory, std::size_t begin, std::size_t end);

/// Host memory of the CPU probes; filled by all cores.
class CpuMemory final : public Memory {
 public:
  /// Memory for the footprint of a point, on the pages and of the NUMA node (`memory_node`) that it asks for.
  /// @throws DoesNotFit if the machine has not enough memory; ResourceError if it has none of this kind
  static std::shared_ptr<CpuMemory> of(ProbeProblem& problem, const Point& point, const Device& device);

  std::byte* data() { return buffer_.data(); }
  /// Makes every granule of the first `bytes` hold granule_at() of its index.
  void hold_granules(std::size_t bytes);
  /// Makes a chase of all nodes of the first `bytes`: each node's first 8 bytes are the address of the next.
  void hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed);

 private:
  HugeBuffer buffer_;
};

}  // namespace gpuseq::probes
