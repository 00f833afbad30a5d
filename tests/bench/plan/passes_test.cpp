#include "bench/plan/passes.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "bench/config/json_file.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/plan/plan.hpp"
#include "tests/bench/toy_registry.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::ElementsAreArray;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

const std::vector<DeviceInfo> kBoth{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 8 << 20},
                                    {.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = 8 << 20}};

SuiteConfig config(const std::string& seed = "1", const std::string& sampling = "") {
  return config_from_json(
      parse_json(R"({"name": "t", "seed": )" + seed + R"(, "sampling": {)" + sampling + R"(},
        "probes": {"random_access": {"footprint_bytes": {"from": 4096, "to": 4194304, "per_octave": 2}}},
        "families": {"toy": {"problems": [{}], "variants": {"steady": {}}}}})",
                 "t.json"),
      "t.json", "/");
}

Sweep planned(const SuiteConfig& config) {
  static const Registry registry = testing::toy_registry();
  return plan(config, registry, kBoth);
}

std::vector<std::string> keys(const std::vector<State>& states) {
  std::vector<std::string> found;
  for (const State& state : states) found.push_back(state.key.to_string());
  return found;
}

/// Keys of the CPU's states by repetition, in the order of their measurement.
std::map<int, std::vector<std::string>> passes(const std::vector<State>& states) {
  std::map<int, std::vector<std::string>> found;
  for (const State& state : states)
    if (state.key.device == "cpu") found[state.repetition].push_back(state.key.to_string());
  return found;
}

TEST(Passes, EachHasAllPointsOfTheCpuInAnOrderOfItsOwn) {
  const SuiteConfig three = config();
  const Sweep sweep = planned(three);
  std::vector<std::string> once;
  for (const State& state : sweep.probes)
    if (state.key.device == "cpu") once.push_back(state.key.to_string());
  const auto found = passes(in_passes(sweep.probes, three, 1));
  ASSERT_EQ(found.size(), 3u);
  for (const auto& [repetition, pass] : found) {
    EXPECT_THAT(pass, UnorderedElementsAreArray(once)) << repetition;
    EXPECT_THAT(pass, Not(ElementsAreArray(once))) << repetition;
  }
  EXPECT_THAT(found.at(0), Not(ElementsAreArray(found.at(1))));
  EXPECT_THAT(found.at(1), Not(ElementsAreArray(found.at(2))));
}

TEST(Passes, FollowOnOneAnotherSoThatAPointIsMeasuredAtDistantTimes) {
  const SuiteConfig three = config();
  int last = 0;
  for (const State& state : in_passes(planned(three).probes, three, 1)) {
    EXPECT_GE(state.repetition, last);
    last = state.repetition;
  }
}

TEST(Passes, AreTheSameForTheSameSeedAndOthersForAnother) {
  const SuiteConfig one = config("1"), two = config("2");
  const auto order = [](const SuiteConfig& of) { return keys(in_passes(planned(of).probes, of, 1)); };
  EXPECT_EQ(order(one), order(one));
  EXPECT_NE(order(one), order(two));
}

TEST(Passes, AreOneAndAsPlannedOnAGpuAndForKernels) {
  const SuiteConfig three = config();
  const Sweep sweep = planned(three);
  std::vector<std::string> gpu;
  for (const State& state : sweep.probes)
    if (state.key.device != "cpu") gpu.push_back(state.key.to_string());
  std::vector<State> in_order = in_passes(sweep.probes, three, 1);
  std::erase_if(in_order, [](const State& state) { return state.key.device == "cpu"; });
  EXPECT_THAT(keys(in_order), ElementsAreArray(gpu));
  EXPECT_EQ(keys(in_passes(sweep.kernels, three, 1)), keys(sweep.kernels));
}

TEST(Passes, LeaveRoomForRepetitionsThatAreAskedForBesides) {
  const SuiteConfig three = config();
  std::set<int> first;
  for (const State& state : in_passes(planned(three).probes, three, 4)) first.insert(state.repetition);
  EXPECT_EQ(first, (std::set<int>{0, 4, 8}));
}

TEST(Passes, OneLeavesTheOrderAsItIsPlanned) {
  const SuiteConfig one = config("1", R"("probe_passes": 1)");
  EXPECT_EQ(keys(in_passes(planned(one).probes, one, 1)), keys(planned(one).probes));
}

TEST(Passes, ShareTheTimeAndTheSamplesOfAState) {
  const SuiteConfig three = config("1", R"("min_samples": 30, "max_samples": 60, "max_seconds": 0.9)");
  const Sweep sweep = planned(three);
  for (const State& state : sweep.probes) {
    const SamplingOptions sampling = sampling_of(state, three.sampling);
    const bool cpu = state.key.device == "cpu";
    EXPECT_DOUBLE_EQ(sampling.max_seconds, cpu ? 0.3 : 0.9);
    EXPECT_EQ(sampling.min_samples, cpu ? 10 : 30);
    EXPECT_EQ(sampling.max_samples, cpu ? 20 : 60);
  }
  const SuiteConfig few = config("1", R"("min_samples": 4, "max_samples": 4)");
  EXPECT_EQ(sampling_of(sweep.probes.front(), few.sampling).max_samples, 3);
}

TEST(Passes, FillMemoryOnceForAllFootprintsOfAProbe) {
  const SuiteConfig one = config("1", R"("probe_passes": 1)");
  State large = planned(one).probes.front();
  Point& holder = large.key.problem.has(kFootprintAxis) ? large.key.problem : large.key.point;
  ASSERT_TRUE(holder.has(kFootprintAxis));
  holder.set(kFootprintAxis, std::int64_t{1} << 40);
  State small = large;
  (small.key.problem.has(kFootprintAxis) ? small.key.problem : small.key.point)
      .set(kFootprintAxis, std::int64_t{1} << 39);
  TimeEstimate estimate(one);
  const double small_s = estimate.of(small);
  estimate.add(large);
  const double large_s = estimate.seconds();
  EXPECT_GT(large_s, 1.5 * small_s);
  EXPECT_LT(estimate.of(small), 0.01 * small_s) << "the larger has filled it";
  estimate.add(small);
  EXPECT_LT(estimate.seconds(), 1.01 * large_s);
}

TEST(Passes, CostWhatEachOfThemTakesToPrepare) {
  const SuiteConfig one = config("1", R"("probe_passes": 1)"), nine = config("1", R"("probe_passes": 9)");
  const State probe = planned(one).probes.front();
  const double of_one = estimated_s(std::span(&probe, 1), one),
               of_nine = estimated_s(std::span(&probe, 1), nine);
  EXPECT_GT(of_nine, of_one);
  EXPECT_LT(of_nine, 2 * of_one) << "the time for samples is shared";
}

}  // namespace
}  // namespace gpuseq::bench
