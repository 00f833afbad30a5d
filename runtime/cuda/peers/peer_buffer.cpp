#include "runtime/cuda/peers/peer_buffer.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/driver_api.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::cuda {
namespace {

/// Opens a peer. @throws ResourceError, so that a state that needs it is skipped
std::unique_ptr<CudaDevice> open_peer(const CudaDevice& device, int ordinal) {
  if (device.ordinal() == ordinal) throw ResourceError(device.id() + " is no peer of itself");
  const Maybe<int> count = device_count();
  if (ordinal < 0 || ordinal >= count.value.value_or(0))
    throw ResourceError(fmt::format("{} has no peer cuda:{}: CUDA devices here: {}", device.id(), ordinal,
                                    count.value.value_or(0)));
  return std::make_unique<CudaDevice>(ordinal);
}

}  // namespace

PeerBuffer::PeerBuffer(CudaDevice& device, int peer_ordinal, std::size_t bytes)
    : device_(&device),
      ordinal_(peer_ordinal),
      peer_(open_peer(device, peer_ordinal)),
      bytes_(*peer_, bytes) {}

// Swaps, so that the old members are destroyed in order: memory before its device.
PeerBuffer& PeerBuffer::operator=(PeerBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(ordinal_, other.ordinal_);
  std::swap(peer_, other.peer_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void PeerBuffer::allow_access() {
  cuda::allow_access(*device_, *peer_);
}

void PeerBuffer::enqueue_copy_to_peer(const DeviceBuffer& from, std::size_t from_offset, std::size_t offset,
                                      std::size_t count, CUstream stream) {
  check_range(from_offset, count, from.size());
  check_range(offset, count, bytes_.size());
  device_->make_current();
  check(driver().memcpy_peer_async(address() + offset, peer_->context(), from.address() + from_offset,
                                   device_->context(), count, stream),
        "cuMemcpyPeerAsync to " + peer_->id());
}

void PeerBuffer::enqueue_copy_from_peer(const DeviceBuffer& to, std::size_t to_offset, std::size_t offset,
                                        std::size_t count, CUstream stream) const {
  check_range(to_offset, count, to.size());
  check_range(offset, count, bytes_.size());
  device_->make_current();
  check(driver().memcpy_peer_async(to.address() + to_offset, device_->context(), address() + offset,
                                   peer_->context(), count, stream),
        "cuMemcpyPeerAsync from " + peer_->id());
}

}  // namespace gpuseq::cuda
