#include "results/obstacles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "runtime/contract/counters.hpp"

namespace gpuseq::results {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

double share(const std::vector<WarpTime>& times, std::string_view words) {
  for (const WarpTime& time : times)
    if (time.words == words) return time.share;
  return 0;
}

TEST(Obstacles, WarpTimesAreSharesOfAllStatesThatWereCounted) {
  const std::map<std::string, double> counters{
      {warp_state_metric("selected"), 20},    {warp_state_metric("long_scoreboard"), 50},
      {warp_state_metric("lg_throttle"), 10}, {warp_state_metric("barrier"), 20},
      {warp_state_metric("membar"), 0},       {"sm__inst_executed.sum", 1e9}};
  const std::vector<WarpTime> times = warp_times(counters);
  ASSERT_EQ(times.size(), 3u);
  EXPECT_DOUBLE_EQ(share(times, "issuing"), 0.2);
  EXPECT_DOUBLE_EQ(share(times, "waiting for global or local memory"), 0.6);
  EXPECT_DOUBLE_EQ(share(times, "waiting for other warps"), 0.2);
}

TEST(Obstacles, NothingIsSaidOfCountersThatSayNothing) {
  EXPECT_TRUE(warp_times({}).empty());
  EXPECT_TRUE(warp_times({{warp_state_metric("selected"), 0}}).empty());
  EXPECT_EQ(obstacles({}), "");
  EXPECT_EQ(obstacles({{"sm__inst_executed.sum", 5}}), "");
}

TEST(Obstacles, TheSentenceNamesTheLongestWaitFirstAndLeavesOutShortOnes) {
  const std::string said = obstacles({{warp_state_metric("selected"), 30},
                                      {warp_state_metric("wait"), 15},
                                      {warp_state_metric("short_scoreboard"), 50},
                                      {warp_state_metric("barrier"), 5},
                                      {std::string(kIssueActive), 43},
                                      {std::string(kSectorsPerLoad), 9.3},
                                      {std::string(kL1HitRate), 35},
                                      {std::string(kL2HitRate), 93},
                                      {std::string(kBankConflicts), 12},
                                      {std::string(kSharedWavefronts), 100}});
  EXPECT_EQ(
      said,
      "its multiprocessors issue in 43 % of their cycles; of the warps' time is waiting for shared memory or "
      "shuffles 50 %, waiting for the last instruction 15 %; a load of a warp takes 9.3 sectors; L1 serves "
      "35 % of sectors; L2 93 % of those that it is asked for; 12 % of accesses to shared memory are "
      "conflicts "
      "of its banks");
  EXPECT_THAT(obstacles({{std::string(kBankConflicts), 0}, {std::string(kSharedWavefronts), 0}}),
              Not(HasSubstr("banks")));
}

TEST(Obstacles, NoMoreIsHitThanIsAskedFor) {
  EXPECT_EQ(obstacles({{std::string(kL1HitRate), 49.6}, {std::string(kL2HitRate), 105}}),
            "L1 serves 50 % of sectors; L2 100 % of those that it is asked for");
}

TEST(Obstacles, EveryStateOfWarpsStandsOnce) {
  std::set<std::string_view> counters;
  for (const WarpState& state : kWarpStates)
    EXPECT_TRUE(counters.insert(state.counter).second) << state.counter;
}

}  // namespace
}  // namespace gpuseq::results
