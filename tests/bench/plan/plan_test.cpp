#include "bench/plan/plan.hpp"

#include <gmock/gmock.h>

#include "bench/config/json_file.hpp"
#include "bench/tools/family.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

const std::vector<DeviceInfo> kCpu{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 8 << 20}};
const std::vector<DeviceInfo> kBoth{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 8 << 20},
                                    {.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = 32 << 20}};

SuiteConfig config(const std::string& body) {
  return config_from_json(parse_json("{\"name\": \"t\", " + body + "}", "t.json"), "t.json", "/");
}

std::vector<std::string> keys(const std::vector<State>& states) {
  std::vector<std::string> found;
  for (const State& state : states) found.push_back(state.key.to_string());
  return found;
}

Sweep planned(const std::string& body, const std::vector<DeviceInfo>& devices = kCpu) {
  static const Registry registry = testing::toy_registry();
  return plan(config(body), registry, devices);
}

std::string plan_error(const std::string& body) {
  try {
    planned(body);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Plan, TakesTheProductOfTheNamedValuesAndDropsInvalidPoints) {
  const Sweep sweep = planned(
      R"("families": {"toy": {"problems": [{"size": [1, 2]}], "variants": {"steady": {"speed": [1, 4], "d": [64, 128]}}}})");
  EXPECT_THAT(
      keys(sweep.kernels),
      ::testing::ElementsAre("toy/steady/size=1/speed=1,d=64/cpu", "toy/steady/size=1/speed=1,d=128/cpu",
                             "toy/steady/size=1/speed=4,d=64/cpu", "toy/steady/size=2/speed=1,d=64/cpu",
                             "toy/steady/size=2/speed=1,d=128/cpu", "toy/steady/size=2/speed=4,d=64/cpu"));
  EXPECT_EQ(sweep.kernels[0].phase, "sweep");
  EXPECT_EQ(sweep.kernels[0].kind, "kernel");
}

TEST(Plan, StatesThatAgreeInSharedAxesStandTogetherAcrossVariants) {
  const Sweep sweep = planned(
      R"("families": {"toy": {"problems": [{}], "variants": {"steady": {"speed": [1, 2]}, "wrong": {"speed": [1, 2]}}}})");
  EXPECT_THAT(
      keys(sweep.kernels),
      ::testing::ElementsAre("toy/steady/size=1/speed=1,d=64/cpu", "toy/wrong/size=1/speed=1,d=64/cpu",
                             "toy/steady/size=1/speed=2,d=64/cpu", "toy/wrong/size=1/speed=2,d=64/cpu"));
}

TEST(Plan, OverlappingSubSpacesGiveEachStateOnce) {
  const Sweep sweep = planned(
      R"("families": {"toy": {"problems": [{}, {"size": 1}], "variants": {"steady": [{"speed": "all"}, {"speed": 2}]}}})");
  EXPECT_EQ(sweep.kernels.size(), 3u);
}

TEST(Plan, VariantsWithoutADeviceAreLeftOutWithARemark) {
  const std::string body =
      R"("families": {"toy": {"problems": [{}], "variants": {"on_gpu": {}, "steady": {}}}})";
  const Sweep cpu = planned(body);
  EXPECT_EQ(keys(cpu.kernels), std::vector<std::string>{"toy/steady/size=1/speed=1,d=64/cpu"});
  ASSERT_EQ(cpu.remarks.size(), 1u);
  expect_text(cpu.remarks[0]);
  EXPECT_EQ(planned(body, kBoth).kernels.size(), 2u);
}

TEST(Plan, ABuildWithoutCudaLeavesOutVariantsThatItDoesNotHave) {
  Registry registry = testing::toy_registry();
  registry.with_cuda = false;
  const SuiteConfig suite =
      config(R"("families": {"toy": {"problems": [{}], "variants": {"elsewhere": {"q": 1}}}})");
  const Sweep sweep = plan(suite, registry, kCpu);
  EXPECT_TRUE(sweep.kernels.empty());
  expect_text(sweep.remarks.at(0));
}

TEST(Plan, ABuildWithoutCudaLeavesOutProbesThatItDoesNotHave) {
  const SuiteConfig suite = config(R"("probes": {"elsewhere": {"q": 1}, "random_access": {}})");
  Registry registry = testing::toy_registry();
  registry.with_cuda = false;
  const Sweep sweep = plan(suite, registry, kCpu);
  EXPECT_EQ(sweep.probes.size(), 1u);
  expect_text(sweep.remarks.at(0));
  registry.with_cuda = true;
  EXPECT_THROW(plan(suite, registry, kCpu), UsageError);
}

TEST(Plan, ABuildWithoutAFamilyLeavesItsCasesAndToolsOut) {
  const SuiteConfig suite = config(R"("tools": {"tools": {"counter": {"family": "absent", "summary": "s",
      "command": ["true"], "work": {"product": [1], "unit": "queries"}}}},
    "families": {"absent": {"problems": [{}], "variants": {"any": {"q": 1}}},
                 "toy": {"problems": [{}], "variants": {"steady": {"speed": "all"}}}})");
  Registry registry = testing::toy_registry();
  EXPECT_THROW(with_tools_of(suite, registry), UsageError);
  EXPECT_THROW(plan(suite, registry, kCpu), UsageError);
  registry.not_built = {"absent"};
  const Sweep sweep = plan(suite, with_tools_of(suite, registry), kCpu);
  EXPECT_FALSE(sweep.kernels.empty());
  expect_text(sweep.remarks);
  expect_error_text([&] { registry.family("absent"); });
}

TEST(Plan, ProbeAxesForOneKindOfDeviceTakePrecedenceAndMayBeSeveralSubSpaces) {
  const Sweep sweep =
      planned(R"("probes": {"random_access": {"footprint_bytes": {"from": 1048576, "to": 4194304},
      "block_bytes": 64, "cpu": [{"block_bytes": [64, 128]}, {"access": "dependent"}], "cuda": {"in_flight": [1, 4]}}})",
              kBoth);
  int cpu = 0, cuda = 0, dependent = 0;
  for (const State& state : sweep.probes) {
    (state.key.device == "cpu" ? cpu : cuda)++;
    dependent += state.key.point.word("access") == "dependent" ? 1 : 0;
    EXPECT_EQ(state.phase, "probe");
  }
  EXPECT_EQ(cpu, 9);  // 3 footprints x (2 blocks + dependent)
  EXPECT_EQ(cuda, 6);
  EXPECT_EQ(dependent, 3);
}

TEST(Plan, AFootprintUpToTheDeviceEndsAtItsFreeMemory) {
  const Sweep sweep = planned(
      R"("probes": {"random_access": {"footprint_bytes": {"from": 1048576, "to": "device"}}})", kBoth);
  std::int64_t cpu = 0, cuda = 0;
  for (const State& state : sweep.probes) {
    std::int64_t& most = state.key.device == "cpu" ? cpu : cuda;
    most = std::max(most, state.key.point.integer("footprint_bytes"));
  }
  EXPECT_EQ(cpu, 8 << 20);
  EXPECT_EQ(cuda, 32 << 20);
}

TEST(Plan, UnknownNamesAreErrorsWithPointerAndAlternatives) {
  expect_text(plan_error(R"("families": {"toi": {"problems": [{}], "variants": {}}})"));
  expect_text(plan_error(R"("families": {"toy": {"problems": [{}], "variants": {"stedy": {}}}})"));
  expect_text(
      plan_error(R"("families": {"toy": {"problems": [{}], "variants": {"steady": [{}, {"sped": 1}]}}})"));
  expect_text(
      plan_error(R"("families": {"toy": {"problems": [{}, {"sise": 1}], "variants": {"steady": {}}}})"));
  expect_text(plan_error(R"("probes": {"random": {}})"));
  expect_text(plan_error(R"("probes": {"random_access": {"blok": 1}})"));
  expect_text(plan_error(R"("probes": {"random_access": {"cpu": {"in_flight": 1}}})"));
}

TEST(Plan, ValuesThatAnAxisDoesNotAllowAreErrorsAlsoForAbsentDevices) {
  expect_text(
      plan_error(R"("families": {"toy": {"problems": [{}], "variants": {"on_gpu": {"speed": [1, 3]}}}})"));
  expect_text(plan_error(R"("probes": {"random_access": {"cuda": {"in_flight": 3}}})"));
  expect_text(plan_error(
      R"("families": {"toy": {"problems": [{}], "variants": {"steady": {"speed": 4, "d": 128}}}})"));
}

TEST(Plan, OtherFootprintsOfAStateKeepTheRest) {
  const Sweep sweep = planned(R"("probes": {"random_access": {"footprint_bytes": 1048576}})");
  const std::vector<double> footprints{2097152.0};
  const auto states = at_footprints(sweep.probes.at(0), footprints);
  EXPECT_EQ(keys(states),
            std::vector<std::string>{
                "random_access/cpu//footprint_bytes=2097152,block_bytes=64,access=independent/cpu"});
}

}  // namespace
}  // namespace gpuseq::bench
