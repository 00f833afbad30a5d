#pragma once

#include <cstddef>
#include <cstdint>

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
  /// That of a small footprint lies in another place of a larger buffer each time: which sets of a cache
  /// pages fall into, and on a virtual machine which of the host's pages, is luck that passes must not share.
  /// @throws DoesNotFit if the machine has not enough memory; ResourceError if it has none of this kind
  static std::shared_ptr<CpuMemory> of(ProbeProblem& problem, const Point& point, const Device& device);

  std::byte* data() { return buffer_.data() + offset_; }
  /// Makes every granule of the first `bytes` hold granule_at() of its index.
  void hold_granules(std::size_t bytes);
  /// Makes a chase of all nodes of the first `bytes`: each node's first 8 bytes are the address of the next.
  void hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed);

 private:
  /// Takes the next place for a footprint.
  void place(std::size_t bytes);

  HugeBuffer buffer_;
  std::size_t offset_ = 0;
  std::uint64_t places_ = 0;  // state of the numbers that choose them
};

}  // namespace gpuseq::probes
