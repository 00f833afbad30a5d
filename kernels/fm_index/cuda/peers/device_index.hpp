#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/peers/split_buffer.hpp"

namespace gpuseq::fm_index {

/// Bytes of an index that lie on a device: of halves, on the one with the larger. What is small, superblocks
/// and prefix table, is on each.
/// @param entries_bytes  with superblocks
u64 index_bytes_on_device(IndexOn on, u64 entries_bytes, u64 prefix_bytes);

/// The index of a point in host memory.
/// @param devices  that it is to be on
/// @throws DoesNotFit before anything is built if one of them could never hold its part, ResourceError if the
/// kernels do not do so many bases
std::shared_ptr<const Index> host_index(FmProblem& problem, const SearchPoint& at,
                                        const std::vector<const cuda::CudaDevice*>& devices);

/// An index in the memory of a device, or of two.
class DeviceIndex {
 public:
  /// @param peer  none where `on` is one
  DeviceIndex(const Index& index, IndexOn on, cuda::CudaDevice& device,
              std::shared_ptr<cuda::CudaDevice> peer);

  bool serves(IndexOn on, const cuda::CudaDevice& device) const { return on == on_ && device_ == &device; }
  /// None where one device has it all.
  cuda::CudaDevice* peer() const { return peer_.get(); }
  /// What the kernels of a device read. @param part  0: of the device, 1: of the peer
  IndexView view(const Index& index, std::size_t part) const;
  /// On a device, entries with superblocks.
  std::size_t index_bytes(std::size_t part) const;
  std::size_t prefix_bytes(std::size_t part) const { return parts_[part].prefix.size(); }
  /// Of the entries, those on the device that the state is of.
  std::size_t entries_on_first() const;
  double upload_s() const { return upload_s_; }

 private:
  struct Part {
    Part(const Index& index, bool all_entries, cuda::CudaDevice& on);
    cuda::DeviceBuffer entries;  // none of halves
    cuda::DeviceBuffer superblocks, prefix;
  };

  IndexOn on_;
  const cuda::CudaDevice* device_;
  std::shared_ptr<cuda::CudaDevice> peer_;  // before what lies on it
  std::optional<cuda::SplitBuffer> halves_;
  std::vector<Part> parts_;
  double upload_s_ = 0;
};

/// The copy of a host's index in device memory: that of the last session, or made anew, after the memory of
/// another was given back. It lives as long as the host's index does.
std::shared_ptr<const DeviceIndex> device_index_of(const Index& index, IndexOn on, cuda::CudaDevice& device,
                                                   std::shared_ptr<cuda::CudaDevice> peer = nullptr);

}  // namespace gpuseq::fm_index
