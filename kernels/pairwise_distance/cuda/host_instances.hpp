#pragma once

#include <span>
#include <vector>

#include "kernels/pairwise_distance/cuda/encoding.hpp"
#include "runtime/cuda/pinned_buffer.hpp"

namespace gpuseq::pairwise_distance {

/// A pass of all instances, whose parts are copied to a device from here.
struct HostPass {
  EncodedPass encoded;  // without what is pinned
  std::span<const std::byte> left = {}, right = {},
                             norms = {};  // as EncodedPass has them; `right` is never empty
};

/// All instances as they are encoded, some attributes after the others. They lie in pinned memory, from which
/// a device copies them by itself; or, where that would be too much, where they were encoded: the driver
/// copies from there by pinned memory of its own, and the host waits for it.
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
