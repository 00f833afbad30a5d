#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/peers/group.hpp"
#include "runtime/cuda/peers/meeting.hpp"
#include "runtime/cuda/peers/open_peers.hpp"
#include "runtime/cuda/side_stream.hpp"

namespace gpuseq::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kMiB = 1 << 20;

/// The peers of a device among five, where each pair (a, b) of `links` reaches each other.
std::vector<int> chosen(int device, std::size_t count, const std::set<std::pair<int, int>>& links) {
  return choose_peers(device, 5, count, [&](int from, int to) {
    return links.contains({from, to}) || links.contains({to, from});
  });
}

TEST(ChoosePeers, TakesTheFirstThatAllReachEachOther) {
  const std::set<std::pair<int, int>> pairs{{0, 1}, {0, 2}, {0, 3}, {2, 3}, {1, 4}};
  EXPECT_THAT(chosen(0, 1, pairs), ElementsAre(1));
  EXPECT_THAT(chosen(3, 2, pairs), ElementsAre(0, 2));
  EXPECT_THAT(chosen(4, 1, pairs), ElementsAre(1));
  EXPECT_THAT(chosen(0, 2, pairs), ElementsAre(1)) << "1 reaches neither 2 nor 3";
  EXPECT_THAT(chosen(0, 0, pairs), IsEmpty());
  EXPECT_THAT(chosen(0, 1, {}), IsEmpty());
}

TEST(ChoosePeers, NeedsAccessInBothDirections) {
  const auto upwards = [](int from, int to) { return from < to; };
  EXPECT_THAT(choose_peers(0, 3, 1, upwards), IsEmpty());
  EXPECT_THAT(choose_peers(1, 4, 3, [](int, int) { return true; }), ElementsAre(0, 2, 3));
}

std::vector<std::pair<std::size_t, std::size_t>> parts(const std::vector<u64>& begin, std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (const ItemRange& range : parts_by_size(begin, count)) found.emplace_back(range.first, range.end);
  return found;
}

TEST(PartsBySize, HaveAboutAsMuchEach) {
  EXPECT_THAT(parts({0, 10, 20, 30, 40}, 2), ElementsAre(std::pair(0, 2), std::pair(2, 4)));
  EXPECT_THAT(parts({1, 91, 101, 111, 121}, 2), ElementsAre(std::pair(0, 1), std::pair(1, 4)));
  EXPECT_THAT(parts({0, 1, 2, 3, 100}, 3), ElementsAre(std::pair(0, 4), std::pair(4, 4), std::pair(4, 4)));
  EXPECT_THAT(parts({0, 10, 20, 30}, 1), ElementsAre(std::pair(0, 3)));
}

TEST(PartsBySize, HaveEachItemOnceAlsoIfThereAreFew) {
  EXPECT_THAT(parts({1}, 2), ElementsAre(std::pair(0, 0), std::pair(0, 0)));
  EXPECT_THAT(parts({0, 0, 0}, 2), ElementsAre(std::pair(0, 0), std::pair(0, 2)));
  const u64 large = ~u64{0} / 2;
  EXPECT_THAT(parts({0, large, 2 * large}, 2), ElementsAre(std::pair(0, 1), std::pair(1, 2)));
}

TEST(CostOnGpus, HasTheMemoryOfEachAndInstructionsOfAll) {
  Cost one{.work = {8, "cells"}, .held = {}, .instructions = Instructions{.operations = {{"lop3", 5}}}};
  one.held.add("queries", 3);
  const Cost cost = cost_on_gpus(one, {{"gpus", 2}});
  EXPECT_EQ(cost.work.amount, 8);
  EXPECT_EQ(cost.held.parts,
            (std::map<std::string, std::uint64_t>{{"queries on cuda:0", 3}, {"queries on cuda:1", 3}}));
  ASSERT_EQ(cost.instructions->by_device.size(), 1u);
  EXPECT_EQ(cost.instructions->by_device[0].device, "cuda");
  one.traffic = Traffic{.blocks = 1};
  EXPECT_EQ(cost_on_gpus(one, {{"gpus", 2}}).why_no_bound, kNoBoundOfGpus);
  EXPECT_FALSE(cost_on_gpus(one, {{"gpus", 2}}).traffic);
}

/// The same GPU opened twice, which any machine with one has; and its peer, where it has one.
class PeersGpu : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (const auto count = device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    first = std::make_unique<CudaDevice>(0);
    try {
      second = GetParam() ? open_peers(*first, 1, PeerAccess::all)[0] : std::make_shared<CudaDevice>(0);
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

  /// The bytes that a device's kernel reads in memory.
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

TEST_P(PeersGpu, WorkOfAnotherDevicesStreamIsWaitedFor) {
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

TEST_P(PeersGpu, AfterAMeetingEachReadsStoresOfTheOther) {
  allow_access(*first, *second);
  allow_access(*second, *first);
  const std::array<DeviceBuffer, 2> memory{DeviceBuffer(*first, kMiB), DeviceBuffer(*second, kMiB)};
  const std::array<DeviceStream, 2> streams{DeviceStream{first.get(), first->stream()},
                                            DeviceStream{second.get(), second->stream()}};
  Meeting meeting(streams);
  for (int i = 1; i <= 10; ++i) {
    CudaDevice& late = i % 2 == 0 ? *first : *second;
    CudaDevice& early = i % 2 == 0 ? *second : *first;
    const std::vector<std::byte> all(kMiB, static_cast<std::byte>(i));
    DeviceBuffer from(late, all.size());
    from.upload(all);
    late.keep_busy(0.02);
    for (const DeviceBuffer& to : memory) copy(late, from.as<const void>(), to.as<void>(), all.size());
    meeting.meet();
    for (const DeviceBuffer& to : memory) ASSERT_EQ(read(early, to.as<const void>(), all.size()), all) << i;
    late.synchronize();
  }
}

INSTANTIATE_TEST_SUITE_P(Of, PeersGpu, ::testing::Bool(), [](const auto& info) {
  return info.param ? std::string("ADeviceAndItsPeer") : std::string("OneDeviceTwice");
});

}  // namespace
}  // namespace gpuseq::cuda
