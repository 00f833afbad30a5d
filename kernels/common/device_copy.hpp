#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "runtime/cuda/cuda.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq {

inline std::span<const std::byte> bytes_of(const HugeBuffer& buffer) {
  return {buffer.data(), buffer.size()};
}

/// The device copy of a host index: that of the last session, or a new one, after the memory of another
/// index's copy is freed. It lives as long as the host index.
/// @tparam Copy  constructible from (index, device), with a member `device`
template <class Copy, class Index>
std::shared_ptr<const Copy> device_copy_of(const Index& index, cuda::CudaDevice& device) {
  auto copy = std::static_pointer_cast<const Copy>(index.device_copy);
  if (copy == nullptr || copy->device != &device) {
    index.device_copy.reset();
    copy.reset();
    copy = std::make_shared<const Copy>(index, device);
    index.device_copy = copy;
  }
  return copy;
}

}  // namespace gpuseq
