#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/cuda/pinned_buffer.hpp"
#include "runtime/cuda/side_stream.hpp"

namespace gpuseq::cuda {
namespace {

constexpr std::size_t kBytes = 1 << 20;
constexpr double kBusyS = 0.02;

class CudaSideStreamTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto count = device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device_ = std::make_unique<CudaDevice>(0);
    device_->keep_busy(0);  // compiles the waiting kernel
    device_->synchronize();
    from_ = PinnedBuffer(*device_, kBytes);
    to_ = PinnedBuffer(*device_, kBytes);
    std::ranges::fill(bytes(from_), std::byte{7});
    std::ranges::fill(bytes(to_), std::byte{0});
    buffer_ = DeviceBuffer(*device_, kBytes);
  }
  static std::span<std::byte> bytes(const PinnedBuffer& buffer) { return buffer.as<std::byte>(kBytes); }

  std::unique_ptr<CudaDevice> device_;
  PinnedBuffer from_, to_;
  DeviceBuffer buffer_;
};

TEST_F(CudaSideStreamTest, GoesOnAfterWhatTheDevicesStreamHadAndBeforeWhatItGetsThen) {
  SideStream side(*device_);
  device_->keep_busy(kBusyS);
  buffer_.fill(1);  // late: the upload would be lost if it did not wait
  side.fork();
  buffer_.enqueue_upload(bytes(from_), 0, side.stream());
  side.join();
  buffer_.enqueue_download(bytes(to_), 0, device_->stream());
  device_->synchronize();
  EXPECT_TRUE(std::ranges::equal(bytes(to_), bytes(from_)));
}

TEST_F(CudaSideStreamTest, CountsAsWorkOfTheDevicesStream) {
  SideStream side(*device_);
  const double forked_s = device_->time_s([&] {
    side.fork();
    for (int i = 0; i < 100; ++i) buffer_.enqueue_download(bytes(to_), 0, side.stream());
    side.join();
  });
  EXPECT_GT(forked_s, 100 * kBytes / 1e12);  // no link is as fast
}

TEST_F(CudaSideStreamTest, MayBeUsedAnyNumberOfTimes) {
  SideStream side(*device_);
  for (int value = 1; value <= 50; ++value) {
    std::ranges::fill(bytes(from_), static_cast<std::byte>(value));
    side.fork();
    buffer_.enqueue_upload(bytes(from_), 0, side.stream());
    side.join();
    buffer_.enqueue_download(bytes(to_), 0, device_->stream());
    device_->synchronize();
    ASSERT_TRUE(std::ranges::equal(bytes(to_), bytes(from_))) << value;
  }
}

}  // namespace
}  // namespace gpuseq::cuda
