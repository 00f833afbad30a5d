#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "bench/config/registry.hpp"
#include "bench/plan/other_devices.hpp"

namespace gpuseq::bench {
namespace {

/// `tune` searches the others.
TEST(RegisteredVariants, OnlyThoseOnSeveralGpusTakeOtherDevicesByDefault) {
  const Registry registry = make_registry();
  std::set<std::string> shared;
  for (const auto& family : registry.families)
    for (const Variant& variant : family->variants())
      if (shares_by_default(variant)) shared.insert(variant.name);
  EXPECT_THAT(shared, ::testing::ElementsAre("lane_groups_gpus", "tensor_gpus", "tree_words_gpus"));
}

}  // namespace
}  // namespace gpuseq::bench
