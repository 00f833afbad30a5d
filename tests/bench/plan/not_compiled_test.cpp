#include "bench/plan/not_compiled.hpp"

#include <gmock/gmock.h>

#include "runtime/contract/axes.hpp"
#include "runtime/contract/unsupported.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::ElementsAre;

/// Compiled for k = 1 and 2; more than three threads are refused for another reason.
Variant variant() {
  return {.name = "steps",
          .summary = "",
          .space = SearchSpace(
              {listed_axis("k", {1, 2, 3, 4}, 1, "steps"), listed_axis("threads", {1, 2, 4}, 1, "threads")}),
          .cost = [](const StateOutline& state) -> Cost {
            if (state.point.integer("threads") > 3) throw Unsupported("three threads at most");
            if (state.point.integer("k") > 2)
              throw NotCompiled("k=" + std::to_string(state.point.integer("k")));
            return {};
          }};
}

TEST(NotCompiled, NamesTheOptionOfAShapeAlone) {
  const Variant steps = variant();
  expect_text(why_not_compiled(steps, {.point = steps.space.complete({{"k", 4}}), .problem = {}}));
  EXPECT_EQ(why_not_compiled(steps, {.point = steps.space.complete({{"k", 2}}), .problem = {}}), "");
  EXPECT_EQ(why_not_compiled(steps, {.point = steps.space.complete({{"threads", 4}}), .problem = {}}), "");
}

TEST(NotCompiled, ListsValuesWithoutAKernel) {
  EXPECT_THAT(values_not_compiled(variant(), {}), ElementsAre("k=3", "k=4"));
}

}  // namespace
}  // namespace gpuseq::bench
