#include "runtime/cuda/texture.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {
namespace {

CUarray_format format_of(Texel texel) {
  return texel == Texel::u8x1 ? CU_AD_FORMAT_UNSIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT32;
}
unsigned channels_of(Texel texel) {
  return texel == Texel::u32x4 ? 4 : 1;
}

std::size_t limit(const CudaDevice& device, CUdevice_attribute which) {
  return static_cast<std::size_t>(device.attribute(which));
}

}  // namespace

TextureObject::TextureObject(CudaDevice& device, const CUDA_RESOURCE_DESC& resource) : device_(&device) {
  device.make_current();
  CUDA_TEXTURE_DESC how{};  // coordinates are not normalised
  for (CUaddress_mode& mode : how.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_POINT;
  how.flags = CU_TRSF_READ_AS_INTEGER;
  check(driver().tex_object_create(&object_, &resource, &how, nullptr), "cuTexObjectCreate");
}

TextureObject::~TextureObject() {
  if (object_ == 0) return;
  try {
    device_->make_current();
    driver().tex_object_destroy(object_);
  } catch (const std::exception&) {
    // The context is lost, and the texture with it.
  }
}

TextureObject::TextureObject(TextureObject&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)), object_(std::exchange(other.object_, 0)) {}

TextureObject& TextureObject::operator=(TextureObject&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(object_, other.object_);
  return *this;
}

ArrayTexture::ArrayTexture(CudaDevice& device, Texel texel, std::size_t width, std::size_t height)
    : device_(&device), texel_(texel), width_(width), height_(height) {
  require_texels(width, limit(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH), "texels across",
                 device.id());
  require_texels(height, limit(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT), "texels down",
                 device.id());
  if (size() == 0) return;  // with a height of 0 the driver assumes one dimension
  const std::size_t available = device.free_bytes();
  const auto refuse = [&] {
    throw DoesNotFit(
        fmt::format("a texture of {} x {} texels of {} bytes does not fit on {}: {} bytes are free (margin "
                    "subtracted)",
                    width, height, bytes_of(texel), device.id(), available));
  };
  if (size() > available) refuse();
  device.make_current();
  const CUDA_ARRAY_DESCRIPTOR shape{
      .Width = width, .Height = height, .Format = format_of(texel), .NumChannels = channels_of(texel)};
  const CUresult status = driver().array_create(&array_, &shape);
  if (status == CUDA_ERROR_OUT_OF_MEMORY) refuse();
  check(status, fmt::format("cuArrayCreate of {} x {}", width, height));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array_;
  try {
    object_ = TextureObject(device, resource);
  } catch (...) {
    driver().array_destroy(array_);
    throw;
  }
}

ArrayTexture::~ArrayTexture() {
  if (array_ == nullptr) return;
  try {
    object_ = {};
    device_->make_current();
    driver().array_destroy(array_);
  } catch (const std::exception&) {
    // The context is lost, and the array with it.
  }
}

ArrayTexture::ArrayTexture(ArrayTexture&& other) noexcept {
  *this = std::move(other);
}

ArrayTexture& ArrayTexture::operator=(ArrayTexture&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(texel_, other.texel_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  std::swap(array_, other.array_);
  std::swap(object_, other.object_);
  return *this;
}

void ArrayTexture::upload(std::span<const std::byte> rows, std::size_t first_row) {
  const std::size_t row_bytes = width_ * bytes_of(texel_);
  if (rows.empty()) return;
  if (row_bytes == 0 || rows.size() % row_bytes != 0 || first_row > height_ ||
      rows.size() / row_bytes > height_ - first_row)
    throw std::out_of_range(
        fmt::format("{} bytes from row {} on are no rows of a texture of {} rows of {} bytes", rows.size(),
                    first_row, height_, row_bytes));
  device_->make_current();
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = rows.data();
  copy.srcPitch = row_bytes;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array_;
  copy.dstY = first_row;
  copy.WidthInBytes = row_bytes;
  copy.Height = rows.size() / row_bytes;
  check(driver().memcpy_2d_async(&copy, device_->stream()), "cuMemcpy2DAsync to a texture");
  check(driver().stream_synchronize(device_->stream()), "cuStreamSynchronize after an upload to a texture");
}

LinearTexture::LinearTexture(CudaDevice& device, Texel texel, const DeviceBuffer& memory) {
  require_texels(memory.size() / bytes_of(texel),
                 limit(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH), "texels in linear memory",
                 device.id());
  if (memory.size() == 0) return;
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory.address();
  resource.res.linear.format = format_of(texel);
  resource.res.linear.numChannels = channels_of(texel);
  resource.res.linear.sizeInBytes = memory.size();
  object_ = TextureObject(device, resource);
}

}  // namespace gpuseq::cuda
