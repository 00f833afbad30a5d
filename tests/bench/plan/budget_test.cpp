#include "bench/plan/budget.hpp"

#include <gmock/gmock.h>

#include "bench/config/json_file.hpp"

namespace gpuseq::bench {
namespace {

const std::vector<DeviceInfo> kCpu{{.id = "cpu", .kind = DeviceKind::cpu}};
const std::vector<DeviceInfo> kBoth{{.id = "cpu", .kind = DeviceKind::cpu},
                                    {.id = "cuda:0", .kind = DeviceKind::cuda}};

SuiteConfig config_with(const std::string& budget) {
  return config_from_json(parse_json("{\"name\": \"t\"" + budget + "}", "t.json"), "t.json", "/");
}

TEST(Budget, DependsOnWhetherThereIsAGpu) {
  const SuiteConfig both = config_with(R"(, "budget_s": {"cpu": 120, "with_gpu": 180})");
  EXPECT_EQ(budget_s(both, kCpu), 120);
  EXPECT_EQ(budget_s(both, kBoth), 180);
  EXPECT_EQ(budget_s(config_with(R"(, "budget_s": 30)"), kBoth), 30);
  EXPECT_EQ(budget_s(config_with(""), kBoth), kNoBudget);
}

TEST(Budget, IsDividedInTheOrderOfARun) {
  const BudgetParts parts = parts_of(100);
  EXPECT_LE(parts.probes_s, 25);
  EXPECT_GT(parts.probes_s, 20);
  EXPECT_LT(parts.kernels_end_s, parts.end_s);
  EXPECT_LT(parts.end_s, 100);
  EXPECT_EQ(parts_of(kNoBudget).end_s, kNoBudget);
}

TEST(Budget, LeavesTimeForParametersBehindFirstPoints) {
  EXPECT_FALSE(needs_probes_last(config_with(R"(, "budget_s": 30)")));
  EXPECT_TRUE(needs_probes_last(
      config_with(R"(, "budget_s": 30, "tune": {"first": [{"variant": "a", "point": {}}]})")));
  const BudgetParts parts = parts_of(100, {.needed_last = true});
  EXPECT_GE(parts.kernels_end_s - parts.first_end_s, 30);
  EXPECT_LT(parts.kernels_end_s + parts.probes_s, parts.end_s);
}

TEST(Budget, IsAllForProbesWhereNoKernelsFollow) {
  const BudgetParts parts = parts_of(100, {.probes_alone = true});
  EXPECT_EQ(parts.probes_s, parts.end_s);
}

TEST(Budget, HasTheTimeBeforeTheFirstRecordInIt) {
  EXPECT_LT(parts_of(100, {.used_s = 20}).end_s, 80);
  EXPECT_EQ(parts_of(1, {.used_s = 2}).end_s, 0);
}

TEST(Budget, KeepsTimeForThePageWhereItIsLong) {
  EXPECT_LT(parts_of(60, {.page = true}).end_s, parts_of(60).end_s);
  EXPECT_EQ(parts_of(5, {.page = true}).end_s, parts_of(5).end_s);
  EXPECT_GT(page_end_s(60), 60);
  EXPECT_LT(page_end_s(60), 66);
}

TEST(Budget, KnowsWhatWasSpentWhenAPartBegan) {
  Spending spending;
  spending.add("probes", 10);
  spending.add("sweep", 5);
  spending.add("probes", 1);
  spending.add("sweep", 2);
  EXPECT_EQ(spending.spent_s(), 18);
  EXPECT_EQ(spending.spent_before("probes"), 0);
  EXPECT_EQ(spending.spent_before("sweep"), 10);
  EXPECT_EQ(spending.spent_before("later"), 18);
  EXPECT_EQ(spending.spent_on("probes"), 11);
  EXPECT_EQ(spending.spent_on("later"), 0);
}

TEST(Budget, WhatAPartLeavesTheNextOnesShare) {
  EXPECT_EQ(share_end_s(10, 40, 3), 20);
  EXPECT_EQ(share_end_s(12, 40, 2), 26);
  EXPECT_EQ(share_end_s(50, 40, 1), 50) << "nothing is left";
}

}  // namespace
}  // namespace gpuseq::bench
