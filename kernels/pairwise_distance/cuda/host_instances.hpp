#pragma once

#include <span>
#include <vector>

#include "kernels/pairwise_distance/cuda/encoding.hpp"
#include "runtime/cuda/pinned_buffer.hpp"

namespace gpuseq::pairwise_distance {

/// A pass of all instances, from which parts are copied to a device.
struct HostPass {
  EncodedPass encoded;                                           // without the pinned data
  std::span<const std::byte> left = {}, right = {}, norms = {};  // see EncodedPass; `right` is never empty
};

/// All encoded instances, in slices of attributes. They are in pinned memory, from which a device copies
/// asynchronously. If that would be too much, they are in pageable memory: the driver then copies through its
/// own pinned memory, and the host waits.
class HostInstances {
 public:
  /// @param slices  see encode_slices()
  HostInstances(std::vector<std::vector<EncodedPass>> slices, u64 most_pinned_bytes, cuda::CudaDevice& device,
                ThreadPool& pool);
  HostInstances(const HostInstances&) = delete;
  HostInstances& operator=(const HostInstances&) = delete;

  u64 slices() const { return slices_.size(); }
  std::span<const HostPass> slice(u64 number) const { return slices_[number]; }
  bool are_pinned() const { return pinned_.size() > 0; }

 private:
  std::vector<std::vector<HostPass>> slices_;
  cuda::PinnedBuffer pinned_;
};

}  // namespace gpuseq::pairwise_distance
