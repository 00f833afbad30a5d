#include "bench/plan/run_time.hpp"

#include <gtest/gtest.h>

#include "bench/config/json_file.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

const std::vector<DeviceInfo> kCpu{
    {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{1} << 30}};

/// Toys with an estimate of their seconds.
class EstimatedToys final : public testing::ToyFamily {
 public:
  explicit EstimatedToys(ProblemCost cost) : cost_(cost) {}
  std::optional<ProblemCost> problem_cost(const StateOutline&) const override { return cost_; }

 private:
  ProblemCost cost_;
};

Expected expected(ProblemCost cost, const std::string& more = "",
                  const std::string& variants = R"({"steady": {}})", int repetitions = 1, int cpus = 2) {
  Registry registry = testing::toy_registry();
  for (auto& family : registry.families)
    if (family->name() == "toy") family = std::make_shared<EstimatedToys>(cost);
  const std::string text =
      R"({"name": "t", "families": {"toy": {"problems": [{}], "variants": )" + variants + "}}" + more + "}";
  const SuiteConfig config = config_from_json(parse_json(text, "t.json"), "t.json", "/");
  return RunTime(config, RunTime::kBusy, cpus).of_run(plan(config, registry, kCpu), repetitions);
}

TEST(RunTime, OfEveryConfigIsAtMostMoreThanItTypicallyIs) {
  const Registry registry = make_registry();
  for (const char* name : {"quick.json", "ci.json", "cpu.json"}) {
    const SuiteConfig config = load_config(source_dir() / "configs" / name);
    const Expected time = RunTime(config).of_run(plan(config, registry, kCpu), 1);
    EXPECT_GT(time.typical_s, 1) << name;
    EXPECT_GT(time.most_s, 2 * time.typical_s) << name;
    EXPECT_LT(time.most_s, 86400) << name;
  }
}

TEST(RunTime, HasLoadingPreparingAndCheckingInIt) {
  const Expected none = expected({});
  const Expected loads = expected({.load_s = 10}), prepares = expected({.prepare_s = 10}),
                 verifies = expected({.verify_s = 10});
  for (const Expected& more : {loads, prepares, verifies}) {
    EXPECT_GE(more.typical_s, none.typical_s + 10);
    EXPECT_GE(more.most_s, none.most_s + 20) << "a busy machine takes longer";
  }
}

TEST(RunTime, OfMoreCoresHasLoadingPreparingAndCheckingInLess) {
  const ProblemCost cost{.load_s = 100, .prepare_s = 100, .verify_s = 100};
  const double two = expected(cost).typical_s;
  EXPECT_LT(expected(cost, "", R"({"steady": {}})", 1, 16).typical_s, two / 5);
  EXPECT_EQ(expected(cost, "", R"({"steady": {}})", 1, 1).typical_s, two);
}

TEST(RunTime, OfAShardHasItsControlsInIt) {
  const SuiteConfig config = config_from_json(
      parse_json(R"({"name": "t", "families": {"toy": {"problems": [{}], "variants": {"steady": {}}}}})",
                 "t.json"),
      "t.json", "/");
  Registry registry = testing::toy_registry();
  for (auto& family : registry.families)
    if (family->name() == "toy")
      family = std::make_shared<EstimatedToys>(ProblemCost{.load_s = 10, .verify_s = 5});
  Sweep sweep = plan(config, registry, kCpu);
  const RunTime times(config, 1, 2);
  const double without = times.of_run(sweep, 1).typical_s;
  sweep.controls = sweep.kernels;
  EXPECT_GE(times.of_run(sweep, 1).typical_s, without + 15);
}

TEST(RunTime, OfLongLaunchesEndsAtTheLimitOfSixSamples) {
  const std::string sampling =
      R"(, "tune": {"remeasure": 0}, "sampling": {"max_seconds": 0.1, "six_samples_seconds": 30})";
  const double none = expected({}, sampling).most_s;
  const double second = expected({.launch_s = 0.1, .slowest_launch_s = 1}, sampling).most_s;
  EXPECT_GE(second, none + 6);
  const double hour = expected({.launch_s = 60, .slowest_launch_s = 3600}, sampling).most_s;
  EXPECT_GE(hour, none + 30 + 3600) << "the first and the last launch are waited for";
  EXPECT_LE(hour, none + 30 + 3 * 6 * 3600.0);
}

TEST(RunTime, GrowsWithStatesAndWithThoseMeasuredAgain) {
  const ProblemCost cost{.prepare_s = 1, .launch_s = 0.01, .slowest_launch_s = 0.1};
  const Expected one = expected(cost), three = expected(cost, "", R"({"steady": {"speed": [1, 2, 4]}})");
  const Expected once =
      expected(cost, R"(, "tune": {"remeasure": 0})", R"({"steady": {"speed": [1, 2, 4]}})");
  const Expected twice = expected(cost, "", R"({"steady": {"speed": [1, 2, 4]}})", 2);
  for (const auto member : {&Expected::typical_s, &Expected::most_s}) {
    EXPECT_GT(three.*member, one.*member);
    EXPECT_GT(three.*member, once.*member);
    EXPECT_GT(twice.*member, three.*member);
  }
}

TEST(RunTime, OfAFamilyThatSaysNothingIsWhatTheLimitsAllow) {
  const SuiteConfig config =
      config_from_json(parse_json(R"({"name": "t", "sampling": {"six_samples_seconds": 44},
                     "families": {"toy": {"problems": [{}], "variants": {"steady": {}}}}})",
                                  "t.json"),
                       "t.json", "/");
  const Registry registry = testing::toy_registry();
  const Sweep sweep = plan(config, registry, kCpu);
  EXPECT_GE(RunTime(config).of_state(sweep.kernels.front()).most_s, 44);
}

TEST(RunTime, AtMostGrowsWithWhatElseRuns) {
  EXPECT_GE(busy_now(), RunTime::kBusy);
  const SuiteConfig config = load_config(source_dir() / "configs" / "ci.json");
  const Registry registry = make_registry();
  const Sweep sweep = plan(config, registry, kCpu);
  const Expected usual = RunTime(config).of_run(sweep, 1), busier = RunTime(config, 30).of_run(sweep, 1);
  EXPECT_EQ(usual.typical_s, busier.typical_s);
  EXPECT_GT(busier.most_s, 2 * usual.most_s);
}

TEST(RunTime, EveryRegisteredFamilyEstimatesSeconds) {
  const Registry registry = make_registry();
  for (const auto& family : registry.families) {
    const Point small = family->problem_space().complete(family->small_problem());
    const std::optional<ProblemCost> cost = family->problem_cost({{}, small, {}});
    ASSERT_TRUE(cost) << family->name();
    for (const double seconds :
         {cost->load_s, cost->prepare_s, cost->verify_s, cost->launch_s, cost->slowest_launch_s})
      EXPECT_GT(seconds, 0) << family->name();
    EXPECT_GT(cost->slowest_launch_s, cost->launch_s) << family->name();
  }
}

}  // namespace
}  // namespace gpuseq::bench
