#include "bench/plan/sizes/sizes.hpp"

#include <gmock/gmock.h>

#include <set>

#include "bench/config/json_file.hpp"
#include "bench/plan/plan_problems.hpp"
#include "bench/run/shard.hpp"
#include "results/size_curve.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/sized_way.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using results::Record;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

using Way = SizedWay;

SizeFound of_gpu(const SizeStep& step) {
  return step.found.at("cuda:0");
}

TEST(Sizes, GrowFourfoldAndThenTwofoldUntilARateIsFlat) {
  Way way({{"steady_gpu", {0.1, 1e6}}});  // n_1/2 is 100 000
  const SizeFound found = of_gpu(way.go());
  EXPECT_THAT(way.sizes("cuda:0"), ElementsAre(1000, 4000, 16000, 64000, 256000, 1024000, 2048000));
  EXPECT_EQ(found.size, 2048000);
  expect_text(found.ended_by);
}

TEST(Sizes, OfADeviceWithAFlatRateAreItsOwn) {
  Way way({{"steady_gpu", {0.1, 1e6}}, {"steady", {1e-4, 1e5}}});
  const SizeStep step = way.go();
  EXPECT_EQ(of_gpu(step).size, 2048000);
  EXPECT_EQ(step.found.at("cpu").size, 4000);
  EXPECT_THAT(way.sizes("cpu"), ElementsAre(1000, 4000));
  EXPECT_EQ(step.found.at("cpu").ended_by, kNoFaster);
}

TEST(Sizes, GrowEightfoldWhileLaunchesOfAGpuAreShort) {
  Way way({{"steady_gpu", {1e-5, 1e9}}});
  EXPECT_EQ(of_gpu(way.go()).ended_by, kNoFaster);
  EXPECT_THAT(way.sizes("cuda:0"), ElementsAre(1000, 8000, 64000, 512000, 4096000));
}

TEST(Sizes, GpusGoOnWithoutTheCpuWhereTheBudgetIsShort) {
  bool alone = false;
  for (double limit_s = 1; limit_s < 100; limit_s += 1) {
    Way way({{"steady_gpu", {1e-5, 1e9}}, {"steady", {4e-3, 1e8}}});
    const SizeStep step = way.go({.seconds = limit_s / 10, .devices = kDevices});
    const SizeFound& cpu = step.found.at("cpu");
    alone |= cpu.ended_by == kTheBudget && cpu.size < of_gpu(step).size;
    EXPECT_LE(cpu.size, of_gpu(step).size);
  }
  EXPECT_TRUE(alone);
}

TEST(Sizes, ACpuIsNotMeasuredUntilItsNoiseEnds) {
  Way way({{"steady", {2e-3, 1e5}}});  // the second size has 17 % more, in a launch of 42 ms
  EXPECT_EQ(way.go().found.at("cpu").size, 4000);
}

TEST(Sizes, ADeviceWithoutMemoryLeavesTheOthersGrowing) {
  Way way({{"steady_gpu", {1e-5, 1e9}}, {"steady", {1e-3, 1e7}}});
  std::vector<DeviceInfo> small = kDevices;
  small[1].free_bytes = 10'000 * kToyBytes;
  const SizeStep step = way.go({.seconds = 1e9, .devices = small});
  EXPECT_EQ(of_gpu(step).ended_by, "the memory of cuda:0");
  EXPECT_EQ(step.found.at("cpu").ended_by, kNoFaster);
  EXPECT_GT(step.found.at("cpu").size, of_gpu(step).size);
}

TEST(Sizes, AreSoonFoundWhereLaunchesHaveNoStart) {
  Way way({{"steady", {0, 1e5}}});
  EXPECT_EQ(way.go().found.at("cpu").size, 4000);
}

TEST(Sizes, VariantsFarBehindDropOutAndTheOthersGoOn) {
  Way way({{"steady_gpu", {0.1, 1e6}}, {"big_gpu", {1, 1e6}}});
  way.go();
  EXPECT_THAT(way.variants_at(1000), ElementsAre("big_gpu", "steady_gpu"));
  EXPECT_THAT(way.variants_at(4000), ElementsAre("steady_gpu"));
}

TEST(Sizes, TheDefaultPointOfEachVariantStandsForItElseTheFirst) {
  const Way way({{"steady", {0, 1e5}}, {"steady_gpu", {0, 1e5}}});
  SizedStates problem = way.problem();
  std::ranges::reverse(problem);
  std::erase_if(problem, [](const State& state) {
    return state.key.variant == "steady_gpu" && state.key.point.integer("speed") == 1;
  });
  const SizeLimits limits{.seconds = 1e9, .devices = kDevices};
  std::set<std::string> names;
  for (const State& state : next_size_step(problem, {}, limits, way.config()).states)
    names.insert(state.key.variant + " " + state.key.point.to_string());
  EXPECT_THAT(names, ElementsAre("steady speed=1", "steady_gpu speed=2"));
}

TEST(Sizes, EndWithTheMemoryThatAProblemIsSaidToTake) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  std::vector<DeviceInfo> small = kDevices;
  small[1].free_bytes = 100'000 * kToyBytes;
  const SizeFound found = of_gpu(way.go({.seconds = 1e9, .devices = small}));
  EXPECT_EQ(found.size, 64000);
  expect_text(found.ended_by);
  expect_text(
      of_gpu(way.go({.seconds = 1e9, .devices = kDevices, .host_bytes = 10'000 * kToyBytes})).ended_by);
}

TEST(Sizes, EndWhereAStateDidNotFitAfterAll) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  way.most_that_fit_ = 50000;
  const SizeFound found = of_gpu(way.go());
  EXPECT_EQ(found.size, 16000);
  expect_text(found.ended_by);
}

TEST(Sizes, EndWithTheData) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  way.data_ = 16000;
  const SizeFound found = of_gpu(way.go());
  EXPECT_EQ(found.size, 16000);
  EXPECT_EQ(found.ended_by, kTheData);
}

TEST(Sizes, EndBeforeTheStepAndTheSweepBehindItWouldTakeMoreThanTheLimit) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  const SizeStep step = way.go({.seconds = 60, .devices = kDevices});
  EXPECT_EQ(of_gpu(step).ended_by, kTheBudget);
  EXPECT_LT(of_gpu(step).size, 2048000);
  EXPECT_GT(of_gpu(step).size, 1000);
  EXPECT_LE(step.seconds(), 60);
}

TEST(Sizes, OfASearchGrowByHalfOfThePointsThatItMayEvaluate) {
  const auto size = [](int evaluations) {
    Way way({{"steady_gpu", {0.1, 1e6}}, {"big_gpu", {0.1, 1e6}}});
    way.config().tune.evaluations = evaluations;
    return of_gpu(way.go({.seconds = 34, .devices = kDevices})).size;
  };
  EXPECT_GT(size(1), size(0));
  EXPECT_GT(size(4), size(0)) << "of four points";
  EXPECT_EQ(size(100), size(0));
}

TEST(Sizes, TheFirstVariantIsTakenToPrepareAsMostOthersDo) {
  // Each launch of late_gpu takes 1 s, also for warm-up and the check of its answers.
  Way way({{"big_gpu", {1e-3, 1e6}},
           {"late_gpu", {1, 1e6}},
           {"other_gpu", {1e-3, 1e6}},
           {"steady_gpu", {1e-3, 1e6}}});
  EXPECT_LT(way.go({.seconds = 1, .devices = kDevices}).sweep_s.at(1000), 25);
}

TEST(Sizes, GrowTwofoldWhereFourfoldWouldTakeTooLong) {
  std::set<std::int64_t> found;
  for (double limit_s = 1; limit_s < 100; limit_s += 1) {
    Way way({{"steady_gpu", {0.1, 1e6}}});
    found.insert(of_gpu(way.go({.seconds = limit_s, .devices = kDevices})).size);
  }
  EXPECT_THAT(found, IsSupersetOf({64000, 128000, 256000}));
}

TEST(Sizes, ThatWereMeasuredStayWhereTheLimitIsLowerLater) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  const std::int64_t size = of_gpu(way.go({.seconds = 60, .devices = kDevices})).size;
  const std::size_t records = way.records_.size();
  ASSERT_GT(size, 1000);
  EXPECT_EQ(of_gpu(way.go({.seconds = 5, .devices = kDevices})).size, size);
  EXPECT_EQ(way.records_.size(), records);
}

TEST(Sizes, AKernelIsCompiledOnceForAllSizesAndLaunches) {
  Way way({{"steady_gpu", {1e-4, 1e6}}});
  way.compile_s_ = 10;
  EXPECT_EQ(of_gpu(way.go({.seconds = 60, .devices = kDevices})).ended_by, kNoFaster);
}

TEST(Sizes, TheRestOfASlowFirstSizeDoesNotGrow) {
  // Every record takes 10 ms in addition to the 0.1 ms estimated for loading and preparation.
  Way way({{"steady_gpu", {1e-5, 1e9}}, {"big_gpu", {1e-5, 1e9}}}, growth_of_toys(),
          {.load_s_per_size = 1e-7, .own_s_per_size = 1e-7});
  way.go({.seconds = 0.4, .devices = kDevices});
  ASSERT_GT(way.sizes("cuda:0").size(), 1u);
  EXPECT_EQ(way.sizes("cuda:0")[1], 8000);
}

TEST(Sizes, AVariantThatDroppedOutIsTakenToBeAsFarBehindAndNoFarther) {
  // At the first size big_gpu's start is ten times the other's, and so are its launches; not a thousand
  // times.
  Way way({{"steady_gpu", {1e-3, 1e6}}, {"big_gpu", {1e-2, 1e6}}});
  const SizeStep step = way.go({.seconds = 100, .devices = kDevices});
  EXPECT_EQ(of_gpu(step).ended_by, kNoFaster);
  EXPECT_LT(step.sweep_s.at(of_gpu(step).size), 20);
}

TEST(Sizes, AVariantThatDroppedOutIsNotSlowedWhereTheBestLeavesACache) {
  // At the first size launches take 0.1 ms and 1 ms, at 32 000 they take 31.1 ms and 32 ms.
  const Law cached{-0.9e-3, 1e6};
  Way way({{"steady_gpu", cached}, {"big_gpu", {0, 1e6}}}), alone({{"steady_gpu", cached}});
  const SizeStep of_two = way.go(), of_one = alone.go();
  const std::int64_t size = of_gpu(of_one).size;
  ASSERT_EQ(of_gpu(of_two).size, size);
  EXPECT_THAT(way.variants_at(size), ElementsAre("steady_gpu"));
  EXPECT_LT(of_two.sweep_s.at(size), 3 * of_one.sweep_s.at(size));
}

TEST(Sizes, TakeAtLeastTheFirstWhateverItTakes) {
  Way way({{"steady", {0, 100}}});
  EXPECT_EQ(way.go({.seconds = 1, .devices = kDevices}).found.at("cpu").size, 1000);
}

TEST(Sizes, AreTheSameForARunThatDiedOnTheWay) {
  Way whole({{"steady_gpu", {0.1, 1e6}}, {"steady", {1e-4, 1e5}}});
  const SizeStep step = whole.go({.seconds = 200, .devices = kDevices});
  EXPECT_GT(whole.records_.size(), 4u);
  for (std::size_t kept = 0; kept < whole.records_.size(); ++kept) {
    Way resumed({{"steady_gpu", {0.1, 1e6}}, {"steady", {1e-4, 1e5}}});
    resumed.records_.assign(whole.records_.begin(),
                            whole.records_.begin() + static_cast<std::ptrdiff_t>(kept));
    EXPECT_EQ(of_gpu(resumed.go({.seconds = 200, .devices = kDevices})).size, of_gpu(step).size);
    EXPECT_EQ(resumed.records_.size(), whole.records_.size());
  }
}

TEST(Sizes, OfWorkThatGrowsWithTheSquareGrowByItsRoot) {
  Growth growth = growth_of_toys();
  growth.power = 2;
  growth.step = 64;
  growth.from = 128;
  Way way({{"steady_gpu", {1, 1e6}}}, growth);
  way.go({.seconds = 1e9, .devices = kDevices});
  const auto sizes = way.sizes("cuda:0");
  ASSERT_GT(sizes.size(), 3u);
  EXPECT_EQ(sizes[0], 128);
  EXPECT_EQ(sizes[1], 256);
  for (const std::int64_t size : sizes) EXPECT_EQ(size % 64, 0);
}

TEST(Sizes, TheSweepHasEveryPointOfADeviceAtItsSize) {
  Way way({{"slow", {0, 1e4}}, {"steady", {0, 1e5}}, {"steady_gpu", {0.1, 1e6}}});
  const SizeStep step = way.go();
  const std::vector<State> sweep = sweep_at_sizes(way.problem(), step.found, way.records_);
  ASSERT_EQ(sweep.size(), 6u);
  EXPECT_EQ(sweep[0].key.to_string(), "growing/steady_gpu/toys=2048000,colour=0/speed=1/cuda:0");
  EXPECT_EQ(sweep[2].key.to_string(), "growing/steady/toys=4000,colour=0/speed=1/cpu");
  for (const State& state : sweep) EXPECT_EQ(state.phase, "sweep");
}

Sweep planned(const std::string& problems) {
  static const Registry registry = growing_registry();
  return plan(config_of(problems, R"({"steady": {"speed": "all"}})"), registry, kDevices);
}

std::string plan_error(const std::string& problems) {
  try {
    planned(problems);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AutoSizes, ArePlannedByProblemBesideThoseThatAreStated) {
  const Sweep sweep = planned(R"([{"toys": "auto", "colour": [0, 1]}, {"toys": 7}])");
  ASSERT_EQ(sweep.sized.size(), 2u);
  EXPECT_EQ(sweep.sized[1].front().key.to_string(), "growing/steady/toys=auto,colour=1/speed=1/cpu");
  EXPECT_EQ(sweep.kernels.size(), 2u);
  EXPECT_EQ(at_first_size(sweep.sized).front().key.to_string(),
            "growing/steady/toys=1000,colour=0/speed=1/cpu");
}

TEST(AutoSizes, AreOfTheAxisThatTheFamilyGrowsBy) {
  expect_text(plan_error(R"([{"colour": "auto"}])"));
}

TEST(AutoSizes, HaveNoShards) {
  const Sweep sweep = planned(R"([{"toys": "auto"}])");
  const SuiteConfig config = config_of(R"([{"toys": "auto"}])", R"({"steady": {}})");
  EXPECT_NO_THROW(in_shard(sweep, {}, config));
  EXPECT_THROW(in_shard(sweep, {.index = 1, .count = 2}, config), UsageError);
}

TEST(AutoSizes, AreSeenInAConfig) {
  EXPECT_TRUE(finds_sizes(config_of(R"([{"toys": "auto"}])", "{}")));
  EXPECT_FALSE(finds_sizes(config_of(R"([{"toys": 5}])", "{}")));
}

}  // namespace
}  // namespace gpuseq::bench
