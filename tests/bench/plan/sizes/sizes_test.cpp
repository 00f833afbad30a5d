#include "bench/plan/sizes/sizes.hpp"

#include <gmock/gmock.h>

#include <set>

#include "bench/config/json_file.hpp"
#include "bench/plan/plan_problems.hpp"
#include "bench/run/shard.hpp"
#include "results/size_curve.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/growing_toys.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using results::Record;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

const std::vector<DeviceInfo> kDevices{
    {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{1} << 40},
    {.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = std::size_t{1} << 40}};

SuiteConfig config_of(const std::string& problems, const std::string& variants) {
  return config_from_json(
      parse_json(R"({"name": "t", "sampling": {"max_seconds": 0.1}, "families": {"growing": {"problems": )" +
                     problems + R"(, "variants": )" + variants + "}}}",
                 "t.json"),
      "t.json", "/");
}

/// How a device solves the problem: a launch takes `start_s`, and its work over `rate`.
struct Law {
  double start_s = 0, rate = 1;
};

/// Runs a problem whose devices obey laws, by variant, until its size is found.
class Way {
 public:
  explicit Way(std::map<std::string, Law> laws, Growth growth = growth_of_toys())
      : registry_(growing_registry(std::move(growth))), laws_(std::move(laws)) {
    std::string variants;
    for (const auto& [name, law] : laws_)
      variants += (variants.empty() ? "{" : ", ") + ("\"" + name + R"(": {"speed": [1, 2]})");
    config_ = config_of(R"([{"toys": "auto"}])", variants + "}");
    problem_ = plan(config_, registry_, kDevices).sized.at(0);
  }

  SizeStep go(SizeLimits limits = {.seconds = 1e9, .devices = kDevices}) {
    for (int i = 0; i < 100; ++i) {
      const SizeStep step = next_size_step(problem_, records_, limits, config_);
      if (step.states.empty()) return step;
      for (const State& state : step.states)  // a run measures nothing twice
        if (!has(state)) records_.push_back(record_of(state));
    }
    throw std::logic_error("it does not end");
  }

  bool has(const State& state) const {
    return std::ranges::any_of(
        records_, [&](const Record& one) { return one.state.to_string() == state.key.to_string(); });
  }

  /// The sizes that were measured on a device.
  std::vector<std::int64_t> sizes(const std::string& device) const {
    std::vector<std::int64_t> found;
    for (const Record& record : records_)
      if (record.state.device == device && (found.empty() || found.back() != record.size->value))
        found.push_back(record.size->value);
    return found;
  }
  std::vector<std::string> variants_at(std::int64_t size) const {
    std::vector<std::string> found;
    for (const Record& record : records_)
      if (record.size->value == size) found.push_back(record.state.variant);
    return found;
  }

  std::vector<Record> records_;
  double compile_s_ = 0;  // of a kernel that no cache has
  std::int64_t most_that_fit_ = 1'000'000'000, data_ = 1'000'000'000;
  const SizedStates& problem() const { return problem_; }
  const SuiteConfig& config() const { return config_; }

 private:
  Record record_of(const State& state) const {
    Record record;
    record.state = state.key;
    record.kind = state.kind;
    record.phase = state.phase;
    const std::int64_t size = state.key.problem.integer("toys");
    record.size = results::ProblemSize{.axis = "toys", .noun = "toys", .value = size};
    if (size > most_that_fit_) {
      record.status = results::Status::skipped;
      record.failure = results::Failure{"does_not_fit", "too many toys"};
      return record;
    }
    const Law& law = laws_.at(state.key.variant);
    record.work = {static_cast<double>(std::min(size, data_)), "toys"};
    const double seconds = law.start_s + record.work.amount / law.rate;
    record.samples_s = {seconds, seconds, seconds};
    record.took_s = 0.01 + 6 * seconds;
    if (compile_s_ > 0) {
      record.resources.emplace();
      record.resources->compile_s = records_.empty() ? compile_s_ : 0;
      record.took_s += record.resources->compile_s;
    }
    record.statistics = results::summarise(record.samples_s, record.work, 0.95, "sample limit");
    return record;
  }

  Registry registry_;
  std::map<std::string, Law> laws_;
  SuiteConfig config_;
  SizedStates problem_;
};

TEST(Sizes, GrowFourfoldAndThenTwofoldUntilTheFastestDeviceGetsNoFaster) {
  Way way({{"steady_gpu", {0.1, 1e6}}});  // n_1/2 is 100 000
  const SizeStep step = way.go();
  EXPECT_THAT(way.sizes("cuda:0"), ElementsAre(1000, 4000, 16000, 64000, 256000, 1024000, 2048000));
  EXPECT_EQ(step.size, 2048000);
  expect_text(step.ended_by);
}

TEST(Sizes, AreTheLargestThatAnyDeviceNeedsAndADeviceThatHasEnoughIsNotMeasuredOn) {
  Way way({{"steady_gpu", {0.1, 1e6}}, {"steady", {1e-4, 1e5}}});
  EXPECT_EQ(way.go().size, 2048000);
  EXPECT_THAT(way.sizes("cpu"), ElementsAre(1000, 4000));
}

TEST(Sizes, AreSoonFoundWhereLaunchesHaveNoStart) {
  Way way({{"steady", {0, 1e5}}});
  EXPECT_EQ(way.go().size, 4000);
}

TEST(Sizes, VariantsFarBehindDropOutAndTheOthersGoOn) {
  Way way({{"steady_gpu", {0.1, 1e6}}, {"big_gpu", {1, 1e6}}});
  way.go();
  EXPECT_THAT(way.variants_at(1000), ElementsAre("big_gpu", "steady_gpu"));
  EXPECT_THAT(way.variants_at(4000), ElementsAre("steady_gpu"));
}

TEST(Sizes, TheFirstPointOfEachVariantStandsForIt) {
  Way way({{"steady", {0, 1e5}}});
  way.go();
  for (const Record& record : way.records_) EXPECT_EQ(record.state.point.to_string(), "speed=1");
}

TEST(Sizes, EndWithTheMemoryThatAProblemIsSaidToTake) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  std::vector<DeviceInfo> small = kDevices;
  small[1].free_bytes = 100'000 * kToyBytes;
  const SizeStep step = way.go({.seconds = 1e9, .devices = small});
  EXPECT_EQ(step.size, 64000);
  expect_text(step.ended_by);
  expect_text(way.go({.seconds = 1e9, .devices = kDevices, .host_bytes = 10'000 * kToyBytes}).ended_by);
}

TEST(Sizes, EndWhereAStateDidNotFitAfterAll) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  way.most_that_fit_ = 50000;
  const SizeStep step = way.go();
  EXPECT_EQ(step.size, 16000);
  expect_text(step.ended_by);
}

TEST(Sizes, EndWithTheData) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  way.data_ = 16000;
  const SizeStep step = way.go();
  EXPECT_EQ(step.size, 16000);
  EXPECT_EQ(step.ended_by, "the data, which have no more");
}

TEST(Sizes, EndBeforeTheStepAndTheSweepBehindItWouldTakeMoreThanTheLimit) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  const SizeStep step = way.go({.seconds = 60, .devices = kDevices});
  EXPECT_EQ(step.ended_by, "the budget");
  EXPECT_LT(step.size, 2048000);
  EXPECT_GT(step.size, 1000);
  EXPECT_LE(step.spent_s + step.sweep_s, 60);
}

TEST(Sizes, GrowTwofoldWhereFourfoldWouldTakeTooLong) {
  std::set<std::int64_t> found;
  for (double limit_s = 1; limit_s < 100; limit_s += 1) {
    Way way({{"steady_gpu", {0.1, 1e6}}});
    found.insert(way.go({.seconds = limit_s, .devices = kDevices}).size);
  }
  EXPECT_THAT(found, IsSupersetOf({64000, 128000, 256000}));
}

TEST(Sizes, ThatWereMeasuredStayWhereTheLimitIsLowerLater) {
  Way way({{"steady_gpu", {0.1, 1e6}}});
  const std::int64_t size = way.go({.seconds = 60, .devices = kDevices}).size;
  const std::size_t records = way.records_.size();
  ASSERT_GT(size, 1000);
  EXPECT_EQ(way.go({.seconds = 5, .devices = kDevices}).size, size);
  EXPECT_EQ(way.records_.size(), records);
}

TEST(Sizes, AKernelIsCompiledOnceForAllSizesAndLaunches) {
  Way way({{"steady_gpu", {1e-4, 1e6}}});
  way.compile_s_ = 10;
  EXPECT_EQ(way.go({.seconds = 60, .devices = kDevices}).ended_by, kNoFaster);
}

TEST(Sizes, AVariantThatDroppedOutIsTakenToBeAsFarBehindAndNoFarther) {
  // At the first size big_gpu's start is ten times the other's, and so are its launches; not a thousand
  // times.
  Way way({{"steady_gpu", {1e-3, 1e6}}, {"big_gpu", {1e-2, 1e6}}});
  const SizeStep step = way.go({.seconds = 100, .devices = kDevices});
  EXPECT_EQ(step.ended_by, kNoFaster);
  EXPECT_LT(step.sweep_s, 20);
}

TEST(Sizes, TakeAtLeastTheFirstWhateverItTakes) {
  Way way({{"steady", {0, 100}}});
  EXPECT_EQ(way.go({.seconds = 1, .devices = kDevices}).size, 1000);
}

TEST(Sizes, AreTheSameForARunThatDiedOnTheWay) {
  Way whole({{"steady_gpu", {0.1, 1e6}}, {"steady", {1e-4, 1e5}}});
  const SizeStep step = whole.go({.seconds = 200, .devices = kDevices});
  EXPECT_GT(whole.records_.size(), 4u);
  for (std::size_t kept = 0; kept < whole.records_.size(); ++kept) {
    Way resumed({{"steady_gpu", {0.1, 1e6}}, {"steady", {1e-4, 1e5}}});
    resumed.records_.assign(whole.records_.begin(),
                            whole.records_.begin() + static_cast<std::ptrdiff_t>(kept));
    EXPECT_EQ(resumed.go({.seconds = 200, .devices = kDevices}).size, step.size);
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

TEST(Sizes, TheSweepHasEveryPointAtTheSizeFirstTheFastestOfEachDevice) {
  Way way({{"slow", {0, 1e4}}, {"steady", {0, 1e5}}, {"steady_gpu", {0.1, 1e6}}});
  const SizeStep step = way.go();
  const std::vector<State> sweep = sweep_at_size(way.problem(), step.size, way.records_);
  ASSERT_EQ(sweep.size(), 6u);
  EXPECT_EQ(sweep[0].key.to_string(), "growing/steady/toys=2048000,colour=0/speed=1/cpu");
  EXPECT_EQ(sweep[1].key.to_string(), "growing/steady_gpu/toys=2048000,colour=0/speed=1/cuda:0");
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
