#pragma once

#include <cstddef>
#include <memory>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Memory of another CUDA device (a peer), with copies to and from this device. Movable.
class PeerBuffer {
 public:
  PeerBuffer() = default;
  /// @throws ResourceError if there is no such device or it is this one; DoesNotFit like DeviceBuffer
  PeerBuffer(CudaDevice& device, int peer_ordinal, std::size_t bytes);
  PeerBuffer(PeerBuffer&& other) noexcept = default;
  PeerBuffer& operator=(PeerBuffer&& other) noexcept;

  /// Allows this device's kernels to access the peer's memory, until the process ends.
  /// @throws ResourceError if there is no suitable link between the two
  void allow_access();

  int peer() const { return ordinal_; }
  std::size_t size() const { return bytes_.size(); }
  CUdeviceptr address() const { return bytes_.address(); }
  /// Uses the peer's own stream, which is not ordered with this device's.
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
  std::unique_ptr<CudaDevice> peer_;  // declared before its memory
  DeviceBuffer bytes_;
};

}  // namespace gpuseq::cuda
