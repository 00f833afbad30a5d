#pragma once

#include <cstddef>
#include <memory>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Memory of another CUDA device (a peer), which this device copies to and from. Movable.
class PeerBuffer {
 public:
  PeerBuffer() = default;
  /// @throws ResourceError if there is no such device or it is this one; DoesNotFit as DeviceBuffer
  PeerBuffer(CudaDevice& device, int peer_ordinal, std::size_t bytes);
  PeerBuffer(PeerBuffer&& other) noexcept = default;
  PeerBuffer& operator=(PeerBuffer&& other) noexcept;

  /// Lets kernels of this device reach into the peer's memory, until the process ends.
  /// @throws ResourceError if the two have no link by which they could
  void allow_access();

  int peer() const { return ordinal_; }
  std::size_t size() const { return bytes_.size(); }
  CUdeviceptr address() const { return bytes_.address(); }
  /// On the peer's own stream, which knows nothing of what this device has enqueued.
  DeviceBuffer& bytes() { return bytes_; }
  const DeviceBuffer& bytes() const { return bytes_; }

  /// Copies between a buffer of this device and the peer's, enqueued on a stream of this device.
  /// @throws std::out_of_range if a copy leaves either
  void enqueue_copy_to_peer(const DeviceBuffer& from, std::size_t from_offset, std::size_t offset,
                            std::size_t count, CUstream stream);
  void enqueue_copy_from_peer(const DeviceBuffer& to, std::size_t to_offset, std::size_t offset,
                              std::size_t count, CUstream stream) const;

 private:
  CudaDevice* device_ = nullptr;
  int ordinal_ = -1;
  std::unique_ptr<CudaDevice> peer_;  // before what lies on it
  DeviceBuffer bytes_;
};

}  // namespace gpuseq::cuda
