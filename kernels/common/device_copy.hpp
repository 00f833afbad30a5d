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

/// The copy of a host's index on the device: that of the last session, or made anew, after the memory of
/// another was given back. It lives as long as the host's index does.
/// @tparam Copy  made of (index, device), and has a `device` that it is on
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
