#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/peers/meeting.hpp"
#include "runtime/cuda/peers/split_buffer.hpp"
#include "runtime/cuda/side_stream.hpp"

namespace gpuseq::cuda {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kMiB = 1 << 20;

TEST(Halves, AreWholeUnitsOfWhichTheFirstHasNoFewer) {
  for (const std::size_t bytes : {std::size_t{1}, 2 * kMiB, 2 * kMiB + 1, 9 * kMiB, std::size_t{110} << 30}) {
    const Halves halves = halves_of(bytes, 2 * kMiB);
    EXPECT_EQ(halves.first % (2 * kMiB), 0u) << bytes;
    EXPECT_EQ(halves.second % (2 * kMiB), 0u) << bytes;
    EXPECT_GE(halves.first + halves.second, bytes);
    EXPECT_LT(halves.first + halves.second - bytes, 2 * kMiB);
    EXPECT_LE(halves.first - halves.second, 2 * kMiB) << bytes;
  }
  EXPECT_EQ(halves_of(1, 2 * kMiB).second, 0u);
  EXPECT_EQ(halves_of(0, 2 * kMiB).first, 0u);
}

/// The same GPU opened twice, which any machine with one has; and its peer, where it has one.
class SplitBufferGpu : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (const auto count = device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    first = std::make_unique<CudaDevice>(0);
    try {
      second = GetParam() ? open_peer(*first) : std::make_shared<CudaDevice>(0);
    } catch (const ResourceError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// Enqueues a copy by a kernel on a device's stream.
  void copy(CudaDevice& device, const void* from, void* to, std::size_t bytes) {
    const auto kernel = device.load({.name = "copy",
                                     .text = "extern \"C\" __global__ void copy(const char* from, char* to, "
                                             "unsigned long long bytes) {\n"
                                             "  for (unsigned long long i = blockIdx.x * 256 + threadIdx.x; "
                                             "i < bytes; i += gridDim.x * 256) to[i] = from[i];\n"
                                             "}\n",
                                     .headers = {},
                                     .options = {}},
                                    {});
    unsigned long long count = bytes;
    const std::array<void*, 3> arguments{&from, &to, &count};
    kernel->launch(512, 256, 0, arguments);
    kernels.push_back(kernel);  // until the copy is done
  }

  /// The data that a device's kernel reads in memory.
  std::vector<std::byte> read(CudaDevice& device, const void* from, std::size_t bytes) {
    const DeviceBuffer buffer(device, bytes);
    copy(device, from, buffer.as<void>(), bytes);
    std::vector<std::byte> copied(bytes);
    buffer.download(copied);
    return copied;
  }

  static std::vector<std::byte> pattern(std::size_t bytes) {
    std::vector<std::byte> all(bytes);
    for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::byte>((i * 7 + (i >> 12)) & 255);
    return all;
  }

  std::unique_ptr<CudaDevice> first;
  std::shared_ptr<CudaDevice> second;
  std::vector<std::shared_ptr<Kernel>> kernels;
};

TEST_P(SplitBufferGpu, KernelsOfBothDevicesReadAllThatWasUploaded) {
  for (const std::size_t bytes : {std::size_t{1}, 2 * kMiB, 2 * kMiB + 1, 33 * kMiB + 5}) {
    const std::vector<std::byte> all = pattern(bytes);
    SplitBuffer buffer(*first, *second, bytes);
    ASSERT_EQ(buffer.size(), bytes);
    buffer.upload(all);
    EXPECT_EQ(read(*first, buffer.as<const void>(), bytes), all);
    EXPECT_EQ(read(*second, buffer.as<const void>(), bytes), all);
  }
}

TEST_P(SplitBufferGpu, GivesMemoryBackToBoth) {
  { const SplitBuffer once(*first, *second, 64 * kMiB); }  // whatever the driver keeps from now on
  const std::size_t free_first = first->free_bytes(), free_second = second->free_bytes();
  for (int i = 0; i < 3; ++i) {
    const SplitBuffer buffer(*first, *second, 1024 * kMiB);
    EXPECT_LT(first->free_bytes(), free_first);
    EXPECT_LT(second->free_bytes(), free_second);
  }
  // Less than one of the six halves is gone, whatever else the driver took.
  EXPECT_GT(first->free_bytes() + 256 * kMiB, free_first);
  EXPECT_GT(second->free_bytes() + 256 * kMiB, free_second);
}

TEST_P(SplitBufferGpu, AHalfThatDoesNotFitIsRefusedWithItsDevice) {
  const auto why = [&](CudaDevice& small) -> std::string {
    small.limit_memory(kMiB);
    std::string reason;
    try {
      const SplitBuffer buffer(*first, *second, 100 * kMiB);
    } catch (const DoesNotFit& error) {
      reason = error.what();
    }
    small.limit_memory(small.total_bytes());
    return reason;
  };
  EXPECT_THAT(why(*first), HasSubstr("the first half"));
  EXPECT_THAT(why(*second), HasSubstr("the second half"));
  const SplitBuffer both_fit(*first, *second, 100 * kMiB);
}

TEST_P(SplitBufferGpu, WorkOfAnotherDevicesStreamIsWaitedFor) {
  SideStream side(*first, *second);
  const std::vector<std::byte> all = pattern(kMiB);
  std::vector<std::byte> copied(kMiB);
  DeviceBuffer buffer(*second, kMiB);
  constexpr double kBusy_s = 0.02;
  const double elapsed_s = first->time_s([&] {
    first->keep_busy(kBusy_s);
    side.fork();
    buffer.enqueue_upload(all, 0, side.stream());
    buffer.enqueue_download(copied, 0, side.stream());
    side.join();
  });
  EXPECT_EQ(copied, all);
  EXPECT_GT(elapsed_s, kBusy_s);
}

TEST_P(SplitBufferGpu, HasAtLeastWhatIsAskedForOnEach) {
  const SplitBuffer buffer(*first, *second, Halves{kMiB, 33 * kMiB + 5});
  EXPECT_GE(buffer.halves().first, kMiB);
  EXPECT_LT(buffer.halves().first, 33 * kMiB);
  EXPECT_GE(buffer.halves().second, 33 * kMiB + 5);
  EXPECT_EQ(buffer.size(), buffer.halves().first + buffer.halves().second);
  const SplitBuffer none(*first, *second, Halves{});
  EXPECT_EQ(none.size(), 0u);
}

TEST_P(SplitBufferGpu, WhatEachDeviceStoredBeforeTheyMeetTheOtherReadsBehindIt) {
  const SplitBuffer shared(*first, *second, Halves{kMiB, kMiB});
  Meeting meeting(*first, first->stream(), *second, second->stream());
  for (int i = 1; i <= 10; ++i) {
    CudaDevice& late = i % 2 == 0 ? *first : *second;
    CudaDevice& early = i % 2 == 0 ? *second : *first;
    const std::vector<std::byte> all(shared.size(), static_cast<std::byte>(i));
    DeviceBuffer from(late, all.size());
    from.upload(all);
    late.keep_busy(0.02);
    copy(late, from.as<const void>(), shared.as<void>(), all.size());
    meeting.meet();
    ASSERT_EQ(read(early, shared.as<const void>(), all.size()), all) << i;
    late.synchronize();
  }
}

INSTANTIATE_TEST_SUITE_P(Of, SplitBufferGpu, ::testing::Bool(), [](const auto& info) {
  return info.param ? std::string("ADeviceAndItsPeer") : std::string("OneDeviceTwice");
});

}  // namespace
}  // namespace gpuseq::cuda
