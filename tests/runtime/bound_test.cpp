#include "runtime/contract/bound.hpp"

#include <gtest/gtest.h>

namespace gpuseq {
namespace {

constexpr Bound kAll[] = {
    Bound::l1,      Bound::l2,     Bound::l3,           Bound::dram,          Bound::memory,
    Bound::alu,     Bound::fma,    Bound::tensor,       Bound::shared_memory, Bound::issue,
    Bound::latency, Bound::launch, Bound::host_transfer};

TEST(Bound, EachWordIsReadAsItself) {
  for (const Bound bound : kAll) {
    EXPECT_FALSE(word(bound).empty());
    EXPECT_EQ(parse_bound(word(bound)), bound) << word(bound);
  }
  EXPECT_EQ(parse_bound("magic"), std::nullopt);
}

TEST(Bound, TextsOfOldRecordsAreUnderstood) {
  EXPECT_EQ(parse_bound("random access"), Bound::memory);
  EXPECT_EQ(parse_bound("instructions (alu pipe)"), Bound::alu);
  EXPECT_EQ(parse_bound("instructions (vector alu pipe)"), Bound::alu);
  EXPECT_EQ(parse_bound("instructions (load pipe)"), Bound::l1);
  EXPECT_EQ(parse_bound("instructions (shared memory pipe)"), Bound::shared_memory);
  EXPECT_EQ(parse_bound("instructions (tensor pipe)"), Bound::tensor);
  EXPECT_EQ(parse_bound("instructions (issue slots)"), Bound::issue);
  EXPECT_EQ(parse_bound("instructions ("), std::nullopt);
}

TEST(Bound, IsMemoryOrWhatExecutesOrNeither) {
  for (const Bound bound : kAll) EXPECT_FALSE(is_memory(bound) && is_execution(bound)) << word(bound);
  EXPECT_TRUE(is_memory(Bound::l1) && is_memory(Bound::dram) && is_memory(Bound::memory));
  EXPECT_TRUE(is_execution(Bound::alu) && is_execution(Bound::tensor) && is_execution(Bound::issue));
  EXPECT_FALSE(is_memory(Bound::launch) || is_execution(Bound::launch) || is_execution(Bound::latency));
}

}  // namespace
}  // namespace gpuseq
