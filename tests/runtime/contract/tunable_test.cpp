#include "runtime/contract/tunable.hpp"

#include <gtest/gtest.h>

namespace gpuseq {
namespace {

struct Policy {
  u32 lanes = 1;
  bool cached = false;
};
constexpr std::array<std::string_view, 2> kLoadsAre{"streamed", "cached"};
constexpr auto kLanes = tunable<&Policy::lanes>({.axis = "lanes", .letter = "l"});
constexpr auto kLoads = tunable<&Policy::cached>({.axis = "loads", .words = kLoadsAre});

static_assert(member_count<Policy>() == 2);
constexpr auto kFields = every_member<Policy>({kLanes, kLoads});  // with one row it does not compile

enum class Side : u32 { left, right };
static_assert(is_enumerator<Side, Side::right>() && !is_enumerator<Side, static_cast<Side>(2)>());

TEST(Tunable, TakesTheValueOfItsAxis) {
  Policy policy;
  EXPECT_TRUE(kLanes.assign(policy, Point::parse("lanes=4,loads=cached")));
  EXPECT_TRUE(kLoads.assign(policy, Point::parse("lanes=4,loads=cached")));
  EXPECT_EQ(policy.lanes, 4u);
  EXPECT_TRUE(policy.cached);
  EXPECT_EQ(kFields[0].text(policy) + kFields[1].text(policy), "4true");
  EXPECT_EQ(kLanes.name(policy) + kLoads.name(policy), "_l4_cached");
}

TEST(Tunable, RejectsAWordOutsideTheTable) {
  Policy policy;
  EXPECT_THROW(kLoads.assign(policy, Point::parse("loads=merged")), UsageError);
  EXPECT_FALSE(policy.cached);
}

TEST(Tunable, LeavesTheValueOpenForAuto) {
  Policy policy{.cached = true};
  EXPECT_FALSE(kLoads.assign(policy, Point::parse("loads=auto")));
  EXPECT_TRUE(policy.cached);
}

TEST(Tunable, RejectsAPointWithoutItsAxis) {
  Policy policy;
  EXPECT_ANY_THROW(kLanes.assign(policy, Point::parse("loads=cached")));
}

}  // namespace
}  // namespace gpuseq
