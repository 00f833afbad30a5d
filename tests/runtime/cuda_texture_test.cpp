#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/pinned_buffer.hpp"
#include "runtime/cuda/texture.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::cuda {
namespace {

TEST(Texels, MoreThanAllowedDoNotFitAndTheErrorSaysBothNumbers) {
  EXPECT_NO_THROW(require_texels(65536, 65536, "texels down", "cuda:0"));
  expect_error_text<DoesNotFit>([] { require_texels(65537, 65536, "texels down", "cuda:0"); });
}

TEST(Texels, TexturesOfNothingHaveNoObject) {
  EXPECT_EQ(TextureObject().get(), 0u);
  EXPECT_EQ(ArrayTexture().object(), 0u);
  EXPECT_EQ(LinearTexture().object(), 0u);
}

class CudaTextureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto count = device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<CudaDevice>(0);
  }

  /// The data that a kernel reads at each place of a texture, row by row.
  template <typename T>
  std::vector<T> read(const std::string& type, const std::string& fetch, CUtexObject texture, unsigned width,
                      unsigned height) {
    const auto kernel =
        device->load({.name = "read_all",
                      .text = "extern \"C\" __global__ void read_all(cudaTextureObject_t texture, " + type +
                              "* out, unsigned width, unsigned height) {\n"
                              "  for (unsigned i = threadIdx.x; i < width * height; i += blockDim.x) {\n"
                              "    const unsigned x = i % width, y = i / width;\n    out[i] = " +
                              fetch + ";\n  }\n}\n",
                      .headers = {},
                      .options = {}},
                     {});
    DeviceBuffer out(*device, width * height * sizeof(T));
    auto* address = out.as<T>();
    std::array<void*, 4> arguments{&texture, &address, &width, &height};
    kernel->launch(1, 256, 0, arguments);
    std::vector<T> values(width * height);
    out.download(std::as_writable_bytes(std::span(values)));
    return values;
  }

  std::unique_ptr<CudaDevice> device;
};

using Words = std::array<unsigned, 4>;

template <typename T>
std::vector<T> numbered(std::size_t count);
template <>
std::vector<unsigned char> numbered(std::size_t count) {
  std::vector<unsigned char> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<unsigned char>(i * 37 >> 2);
  return values;
}
template <>
std::vector<unsigned> numbered(std::size_t count) {
  std::vector<unsigned> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = i * 0x9e3779b9u;
  return values;
}
template <>
std::vector<Words> numbered(std::size_t count) {
  std::vector<Words> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = {i, ~i, i * 0x9e3779b9u, 0x80000000u | i};
  return values;
}

TEST_F(CudaTextureTest, ArraysHoldEveryTexelWhereItWasPut) {
  const unsigned across = 65536, down = 12;
  ArrayTexture bytes(*device, Texel::u8x1, across, down);
  const auto letters = numbered<unsigned char>(across * down);
  bytes.upload(std::as_bytes(std::span(letters)));
  EXPECT_EQ(bytes.size(), letters.size());
  EXPECT_EQ(read<unsigned char>("unsigned char", "tex2D<unsigned char>(texture, x, y)", bytes.object(),
                                across, down),
            letters);
  const unsigned width = 4096, height = 70;
  ArrayTexture words(*device, Texel::u32x4, width, height);
  const auto nodes = numbered<Words>(width * height);
  const auto rows = std::as_bytes(std::span(nodes));
  const std::size_t first_bytes = 33 * width * sizeof(Words);
  words.upload(rows.subspan(first_bytes), 33);
  words.upload(rows.first(first_bytes));
  EXPECT_EQ(words.size(), nodes.size() * sizeof(Words));
  EXPECT_EQ(read<Words>("uint4", "tex2D<uint4>(texture, x, y)", words.object(), width, height), nodes);
}

TEST_F(CudaTextureTest, LinearMemoryIsReadTexelByTexel) {
  const unsigned count = 100'003;
  const auto letters = numbered<unsigned char>(count);
  DeviceBuffer bytes(*device, letters.size());
  bytes.upload(std::as_bytes(std::span(letters)));
  const LinearTexture byte_texture(*device, Texel::u8x1, bytes);
  EXPECT_EQ(read<unsigned char>("unsigned char", "tex1Dfetch<unsigned char>(texture, i)",
                                byte_texture.object(), count, 1),
            letters);
  DeviceBuffer numbers(*device, count * sizeof(unsigned));
  const auto values = numbered<unsigned>(count);
  numbers.upload(values);
  const LinearTexture number_texture(*device, Texel::u32x1, numbers);
  EXPECT_EQ(read<unsigned>("unsigned", "tex1Dfetch<unsigned>(texture, i)", number_texture.object(), count, 1),
            values);
  const auto nodes = numbered<Words>(count);
  DeviceBuffer words(*device, nodes.size() * sizeof(Words));
  words.upload(std::as_bytes(std::span(nodes)));
  const LinearTexture word_texture(*device, Texel::u32x4, words);
  EXPECT_EQ(read<Words>("uint4", "tex1Dfetch<uint4>(texture, i)", word_texture.object(), count, 1), nodes);
}

TEST_F(CudaTextureTest, SizesBeyondTheDevicesLimitsDoNotFit) {
  const auto limit = [&](CUdevice_attribute which) {
    return static_cast<std::size_t>(device->attribute(which));
  };
  const std::size_t width = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH);
  const std::size_t height = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT);
  EXPECT_THROW(ArrayTexture(*device, Texel::u8x1, width + 1, 1), DoesNotFit);
  EXPECT_THROW(ArrayTexture(*device, Texel::u8x1, 1, height + 1), DoesNotFit);
  EXPECT_NO_THROW(ArrayTexture(*device, Texel::u8x1, width, 1));
  const std::size_t linear = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
  if (device->free_bytes() < linear + 1) GTEST_SKIP() << "only " << device->free_bytes() << " bytes are free";
  const DeviceBuffer memory(*device, linear + 1);
  EXPECT_THROW(LinearTexture(*device, Texel::u8x1, memory), DoesNotFit);
}

TEST_F(CudaTextureTest, OnlyWholeRowsThatFitAreUploaded) {
  ArrayTexture texture(*device, Texel::u8x1, 64, 4);
  const std::vector<std::byte> rows(64 * 5);
  EXPECT_THROW(texture.upload(std::span(rows)), std::out_of_range);
  EXPECT_THROW(texture.upload(std::span(rows).first(65)), std::out_of_range);
  EXPECT_THROW(texture.upload(std::span(rows).first(128), 3), std::out_of_range);
  EXPECT_NO_THROW(texture.upload(std::span(rows).first(128), 2));
}

TEST_F(CudaTextureTest, AMovedTextureOwnsTheObject) {
  ArrayTexture first(*device, Texel::u8x1, 64, 4);
  const CUtexObject object = first.object();
  const ArrayTexture second = std::move(first);
  EXPECT_EQ(second.object(), object);
  EXPECT_EQ(first.object(), 0u);  // NOLINT: that is under test
}

TEST_F(CudaTextureTest, PinnedMemoryHoldsWhatIsDownloaded) {
  PinnedBuffer pinned(*device, 1000);
  const auto values = numbered<unsigned char>(1000);
  DeviceBuffer buffer(*device, 1000);
  buffer.upload(std::as_bytes(std::span(values)));
  const auto found = pinned.as<unsigned char>(1000);
  buffer.download(std::as_writable_bytes(found));
  EXPECT_TRUE(std::equal(found.begin(), found.end(), values.begin()));
  const PinnedBuffer moved = std::move(pinned);
  EXPECT_EQ(moved.as<unsigned char>(1000).data(), found.data());
}

}  // namespace
}  // namespace gpuseq::cuda
