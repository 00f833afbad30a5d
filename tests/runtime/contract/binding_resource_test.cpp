#include "runtime/contract/binding_resource.hpp"

#include <gtest/gtest.h>

namespace gpuseq {
namespace {

constexpr BindingResource kAll[] = {
    BindingResource::l1,           BindingResource::l2,      BindingResource::l3,
    BindingResource::dram,         BindingResource::memory,  BindingResource::alu,
    BindingResource::fma,          BindingResource::tensor,  BindingResource::shared_memory,
    BindingResource::issue,        BindingResource::latency, BindingResource::launch,
    BindingResource::host_transfer};

TEST(BindingResource, EachWordIsReadAsItself) {
  for (const BindingResource bound : kAll) {
    EXPECT_FALSE(word(bound).empty());
    EXPECT_EQ(parse_bound(word(bound)), bound) << word(bound);
  }
  EXPECT_EQ(parse_bound("magic"), std::nullopt);
}

TEST(BindingResource, TextsOfOldRecordsAreUnderstood) {
  EXPECT_EQ(parse_bound("random access"), BindingResource::memory);
  EXPECT_EQ(parse_bound("instructions (alu pipe)"), BindingResource::alu);
  EXPECT_EQ(parse_bound("instructions (vector alu pipe)"), BindingResource::alu);
  EXPECT_EQ(parse_bound("instructions (load pipe)"), BindingResource::l1);
  EXPECT_EQ(parse_bound("instructions (shared memory pipe)"), BindingResource::shared_memory);
  EXPECT_EQ(parse_bound("instructions (tensor pipe)"), BindingResource::tensor);
  EXPECT_EQ(parse_bound("instructions (issue slots)"), BindingResource::issue);
  EXPECT_EQ(parse_bound("instructions ("), std::nullopt);
}

TEST(BindingResource, IsMemoryOrWhatExecutesOrNeither) {
  for (const BindingResource bound : kAll)
    EXPECT_FALSE(is_memory(bound) && is_execution(bound)) << word(bound);
  EXPECT_TRUE(is_memory(BindingResource::l1) && is_memory(BindingResource::dram) &&
              is_memory(BindingResource::memory));
  EXPECT_TRUE(is_execution(BindingResource::alu) && is_execution(BindingResource::tensor) &&
              is_execution(BindingResource::issue));
  EXPECT_FALSE(is_memory(BindingResource::launch) || is_execution(BindingResource::launch) ||
               is_execution(BindingResource::latency));
}

}  // namespace
}  // namespace gpuseq
