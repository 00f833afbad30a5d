#pragma once

#include "kernels/common/library/cuda_runtime.hpp"
#include "runtime/cuda/texel.hpp"

// Textures of exported libraries by the CUDA runtime; runtime/cuda/texture.hpp has the program's own.

namespace gpuseq::library {

constexpr cudaChannelFormatDesc channels_of(cuda::Texel texel) {
  if (texel == cuda::Texel::u8x1) return {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
  if (texel == cuda::Texel::u32x1) return {32, 0, 0, 0, cudaChannelFormatKindUnsigned};
  return {32, 32, 32, 32, cudaChannelFormatKindUnsigned};
}

/// Rejects a texture with more texels along a side than the current device supports. @throws DoesNotFit
inline void require_texels(std::size_t needed, cudaDeviceAttr limit, std::string_view side) {
  int device = 0, allowed = 0;
  check_cuda(cudaGetDevice(&device), "the device");
  check_cuda(cudaDeviceGetAttribute(&allowed, limit, device), "the device's textures");
  cuda::require_texels(needed, static_cast<std::size_t>(allowed), side, fmt::format("device {}", device));
}

/// A texture object: unfiltered texels at integer, unnormalised coordinates. Destroyed with its owner.
class TextureObject {
 public:
  TextureObject() = default;
  explicit TextureObject(const cudaResourceDesc& resource) {
    cudaTextureDesc how{};  // coordinates are not normalised
    for (cudaTextureAddressMode& mode : how.addressMode) mode = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    check_cuda(cudaCreateTextureObject(&object_, &resource, &how, nullptr), "a texture");
  }
  ~TextureObject() {
    if (object_ != 0) cudaDestroyTextureObject(object_);
  }
  TextureObject(TextureObject&& other) noexcept : object_(std::exchange(other.object_, 0)) {}
  TextureObject& operator=(TextureObject&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  /// The handle for kernels.
  u64 get() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
};

/// A texture over linear memory (tex1Dfetch<>).
class LinearTexture {
 public:
  LinearTexture() = default;
  /// @param memory  must outlive the texture; all of it is read as texels
  LinearTexture(cuda::Texel texel, const DeviceMemory& memory) {
    require_texels(memory.size() / bytes_of(texel), cudaDevAttrMaxTexture1DLinearWidth,
                   "texels in linear memory");
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory.as<void>();
    resource.res.linear.desc = channels_of(texel);
    resource.res.linear.sizeInBytes = memory.size();
    object_ = TextureObject(resource);
  }
  u64 object() const { return object_.get(); }

 private:
  TextureObject object_;
};

/// A two-dimensional texture over an array in the device's own layout (tex2D<>).
class ArrayTexture {
 public:
  ArrayTexture() = default;
  /// @param height  at least 1
  ArrayTexture(cuda::Texel texel, std::size_t width, std::size_t height)
      : row_bytes_(width * bytes_of(texel)) {
    require_texels(width, cudaDevAttrMaxTexture2DWidth, "texels across");
    require_texels(height, cudaDevAttrMaxTexture2DHeight, "texels down");
    const cudaChannelFormatDesc channels = channels_of(texel);
    check_cuda(cudaMallocArray(&array_, &channels, width, height),
               fmt::format("a texture of {} x {} texels", width, height));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    try {
      object_ = TextureObject(resource);
    } catch (...) {
      cudaFreeArray(array_);
      throw;
    }
  }
  ~ArrayTexture() {
    object_ = {};
    if (array_ != nullptr) cudaFreeArray(array_);
  }
  ArrayTexture(ArrayTexture&& other) noexcept { *this = std::move(other); }
  ArrayTexture& operator=(ArrayTexture&& other) noexcept {
    std::swap(row_bytes_, other.row_bytes_);
    std::swap(array_, other.array_);
    std::swap(object_, other.object_);
    return *this;
  }

  /// Copies whole rows, which must fit, starting at `first_row`. Blocks.
  void upload(std::span<const std::byte> rows, std::size_t first_row) {
    check_cuda(cudaMemcpy2DToArray(array_, 0, first_row, rows.data(), row_bytes_, row_bytes_,
                                   rows.size() / row_bytes_, cudaMemcpyHostToDevice),
               "copying to a texture");
  }
  u64 object() const { return object_.get(); }

 private:
  std::size_t row_bytes_ = 0;
  cudaArray_t array_ = nullptr;
  TextureObject object_;  // destroyed first
};

/// Allocates memory and textures of the current device. All functions throw ResourceError.
struct RuntimeMemory {
  using Buffer = DeviceMemory;
  using Linear = LinearTexture;
  using Array = ArrayTexture;

  Buffer buffer(std::size_t bytes) const { return Buffer(bytes); }
  Linear linear(cuda::Texel texel, const Buffer& memory) const { return {texel, memory}; }
  Array array(cuda::Texel texel, std::size_t width, std::size_t height) const {
    return {texel, width, height};
  }
};

}  // namespace gpuseq::library
