#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "runtime/cuda/pinned_buffer.hpp"

namespace gpuseq::cuda {
namespace {

TEST(PinnedBuffer, OfNothingHasNoRowsToCopy) {
  PinnedBuffer nothing;
  const DeviceBuffer from;
  EXPECT_NO_THROW(nothing.enqueue_download(from, {.pitch = 8, .row_bytes = 8, .rows = 0}, nullptr));
  EXPECT_THROW(nothing.enqueue_download(from, {.pitch = 8, .row_bytes = 8, .rows = 1}, nullptr),
               std::out_of_range);
}

class CudaPinnedBufferTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto count = device_count(); !count.value) GTEST_SKIP() << count.reason;
    device_ = std::make_unique<CudaDevice>(0);
  }
  std::unique_ptr<CudaDevice> device_;
};

TEST_F(CudaPinnedBufferTest, RowsOfADeviceAreCopiedToTheirPlacesAndNothingElseIsWritten) {
  constexpr unsigned kOther = ~0u;
  for (const std::size_t width : {1, 5, 33, 700})
    for (const std::size_t rows : {1, 2, 71})
      for (const std::size_t column : {0, 3}) {
        const std::size_t pitch = width + column + 2;
        std::vector<unsigned> sent(width * rows);
        for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<unsigned>(i);
        DeviceBuffer from(*device_, sent.size() * sizeof(unsigned));
        from.upload(sent);
        PinnedBuffer to(*device_, pitch * rows * sizeof(unsigned));
        const std::span<unsigned> found = to.as<unsigned>(pitch * rows);
        std::ranges::fill(found, kOther);
        to.enqueue_download(from,
                            {.first_byte = column * sizeof(unsigned),
                             .pitch = pitch * sizeof(unsigned),
                             .row_bytes = width * sizeof(unsigned),
                             .rows = rows},
                            device_->stream());
        device_->synchronize();
        for (std::size_t i = 0; i < found.size(); ++i) {
          const std::size_t row = i / pitch, at = i % pitch;
          const bool copied = at >= column && at < column + width;
          ASSERT_EQ(found[i], copied ? sent[row * width + at - column] : kOther) << row << ", " << at;
        }
      }
}

TEST_F(CudaPinnedBufferTest, RowsThatLeaveABufferOrOverlapAreRefused) {
  const DeviceBuffer from(*device_, 40);
  PinnedBuffer to(*device_, 100);
  const CUstream stream = device_->stream();
  const auto copy = [&](const RowsPlace& place) { to.enqueue_download(from, place, stream); };
  EXPECT_NO_THROW(copy({.first_byte = 70, .pitch = 20, .row_bytes = 10, .rows = 2}));
  EXPECT_THROW(copy({.first_byte = 71, .pitch = 20, .row_bytes = 10, .rows = 2}), std::out_of_range);
  EXPECT_THROW(copy({.pitch = 10, .row_bytes = 10, .rows = 5}), std::out_of_range) << "40 bytes are there";
  EXPECT_THROW(copy({.pitch = 9, .row_bytes = 10, .rows = 2}), std::out_of_range);
  device_->synchronize();
}

}  // namespace
}  // namespace gpuseq::cuda
