#pragma once

#include <cuda.h>

#include <cstddef>
#include <span>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/texel.hpp"

namespace gpuseq::cuda {

/// A texture object with its handle for kernels. Movable; destroyed with its owner.
class TextureObject {
 public:
  TextureObject() = default;
  TextureObject(CudaDevice& device, const CUDA_RESOURCE_DESC& resource);
  ~TextureObject();
  TextureObject(TextureObject&& other) noexcept;
  TextureObject& operator=(TextureObject&& other) noexcept;
  CUtexObject get() const { return object_; }

 private:
  CudaDevice* device_ = nullptr;
  CUtexObject object_ = 0;
};

/// A two-dimensional texture over an array in the device's own block-linear layout: neighbours in both
/// directions share cache lines. Read unfiltered at integer, unnormalised coordinates (tex2D<>).
class ArrayTexture {
 public:
  ArrayTexture() = default;
  /// @throws DoesNotFit if the device does not support this size or lacks the memory
  ArrayTexture(CudaDevice& device, Texel texel, std::size_t width, std::size_t height);
  ~ArrayTexture();
  ArrayTexture(ArrayTexture&& other) noexcept;
  ArrayTexture& operator=(ArrayTexture&& other) noexcept;

  /// Rows of `width` texels, from `first_row` on. Blocks. @throws std::out_of_range unless whole rows that
  /// fit
  void upload(std::span<const std::byte> rows, std::size_t first_row = 0);
  CUtexObject object() const { return object_.get(); }
  std::size_t size() const { return width_ * height_ * bytes_of(texel_); }

 private:
  CudaDevice* device_ = nullptr;
  Texel texel_ = Texel::u8x1;
  std::size_t width_ = 0, height_ = 0;
  CUarray array_ = nullptr;
  TextureObject object_;  // destroyed first
};

/// A texture over linear memory (tex1Dfetch<>).
class LinearTexture {
 public:
  LinearTexture() = default;
  /// @param memory  must outlive the texture; all of it is read as texels
  /// @throws DoesNotFit if the device does not support this size
  LinearTexture(CudaDevice& device, Texel texel, const DeviceBuffer& memory);
  CUtexObject object() const { return object_.get(); }

 private:
  TextureObject object_;
};

}  // namespace gpuseq::cuda
