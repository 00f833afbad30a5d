#include "runtime/system/host_load.hpp"

#include <gmock/gmock.h>

#include <chrono>

namespace gpuseq {
namespace {

constexpr const char* kStat = "cpu  1000 200 300 4000 500 60 40 100 7 8\ncpu0 1 2 3 4 5 6 7 8 9 10\n";

TEST(HostLoad, IsTheTimeOfAllProcessors) {
  const auto load = parse_host_load(kStat, 100, 3);
  ASSERT_TRUE(load.value) << load.reason;
  EXPECT_DOUBLE_EQ(load.value->all_s, 62);  // guests are in user already
  EXPECT_DOUBLE_EQ(load.value->busy_s, 16);
  EXPECT_DOUBLE_EQ(load.value->steal_s, 1);
  EXPECT_EQ(load.value->own_s, 3);
}

TEST(HostLoad, OfALineThatIsNoneSaysWhy) {
  for (const char* bad : {"", "cpu", "cpu  1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu  1 2 3 x 5 6 7 8"})
    EXPECT_FALSE(parse_host_load(bad, 100, 0).value) << bad;
}

TEST(HostLoad, SharesAreOfWhatWentElsewhere) {
  const HostLoad from{.all_s = 100, .busy_s = 50, .steal_s = 2, .own_s = 10};
  const HostLoad to{.all_s = 200, .busy_s = 90, .steal_s = 7, .own_s = 40};
  EXPECT_DOUBLE_EQ(shares_between(from, to).steal, 0.05);
  EXPECT_DOUBLE_EQ(shares_between(from, to).others, 0.10);
  EXPECT_EQ(shares_between(from, from).others, 0);
  // Our own time may be counted more finely than the host's.
  const HostLoad own{.all_s = 200, .busy_s = 50, .steal_s = 2, .own_s = 10.01};
  EXPECT_EQ(shares_between(from, own).others, 0);
}

TEST(HostLoad, OfThisHostHasOurOwnTimeInIt) {
  const auto before = host_load();
  if (!before.value) GTEST_SKIP() << before.reason;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < end) {
  }
  const auto after = host_load();
  ASSERT_TRUE(after.value) << after.reason;
  EXPECT_GT(after.value->own_s - before.value->own_s, 0.01);
  EXPECT_GT(after.value->all_s, before.value->all_s);
  EXPECT_GE(after.value->busy_s, before.value->busy_s);
}

}  // namespace
}  // namespace gpuseq
