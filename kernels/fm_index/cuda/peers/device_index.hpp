#pragma once

#include <memory>
#include <vector>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::fm_index {

/// Bytes of the entries on the device that has most.
u64 entries_bytes_on_device(const SearchPoint& at, u64 entries_bytes);

/// The index of a point in host memory.
/// @param devices  that it is to be on
/// @throws DoesNotFit before anything is built if one of them could never hold its part, ResourceError if the
/// kernels do not do so many bases
std::shared_ptr<const Index> host_index(FmProblem& problem, const SearchPoint& at,
                                        const std::vector<const cuda::CudaDevice*>& devices);

/// An index in the memory of a device and its peers: on each all of it, or the entries of a part of the
/// words. Superblocks and prefix table are small, and on each device.
class DeviceIndex {
 public:
  /// @param peers  none where `on` is one
  DeviceIndex(const Index& index, IndexOn on, cuda::CudaDevice& device, cuda::Peers peers);

  bool serves(IndexOn on, const cuda::CudaDevice& device, std::size_t peers) const {
    return on == on_ && device_ == &device && peers == peers_.size();
  }
  std::size_t devices() const { return parts_.size(); }
  /// @param part  0: the device of the state; from 1 on: its peers
  cuda::CudaDevice& device(std::size_t part) const { return part == 0 ? *device_ : *peers_[part - 1]; }
  /// The index as kernels of a device read it. Entries that the device does not have are at addresses of
  /// nothing.
  IndexView view(const Index& index, std::size_t part) const;
  /// Entries with superblocks, on a device.
  std::size_t index_bytes(std::size_t part) const;
  std::size_t prefix_bytes(std::size_t part) const { return parts_[part].prefix.size(); }
  double upload_s() const { return upload_s_; }

 private:
  struct Part {
    Part(const Index& index, u64 first, u64 bytes, cuda::CudaDevice& on);
    void upload(const Index& index);

    u64 first_byte;  // of the index's entries
    cuda::DeviceBuffer entries, superblocks, prefix;
  };

  IndexOn on_;
  cuda::CudaDevice* device_;
  cuda::Peers peers_;  // before their memory
  std::vector<Part> parts_;
  double upload_s_ = 0;
};

/// The copy of a host's index in device memory: that of the last session or a new one, after the memory of
/// another was given back. It lives as long as the host's index does.
std::shared_ptr<const DeviceIndex> device_index_of(const Index& index, IndexOn on, cuda::CudaDevice& device,
                                                   cuda::Peers peers = {});

}  // namespace gpuseq::fm_index
