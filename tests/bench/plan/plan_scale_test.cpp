#include <gmock/gmock.h>

#include "bench/commands/cli.hpp"
#include "bench/config/selection.hpp"
#include "bench/run/invocation.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/process.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/golden_text.hpp"

// Plans of so many states that work in proportion to their pairs would not end within a test's time.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;

constexpr std::int64_t kMany = 300'000;
const std::vector<DeviceInfo> kCpu{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 8 << 20}};

Axis any_number(std::string name) {
  return {.name = std::move(name),
          .values = {std::int64_t{0}},
          .default_value = std::int64_t{0},
          .accepts = [](const AxisValue& value) { return std::holds_alternative<std::int64_t>(value); },
          .allowed = "an integer"};
}

/// A family whose ten axes take any number.
class OpenFamily : public ToyFamily {
 public:
  OpenFamily() {
    std::vector<Axis> axes;
    for (int i = 0; i < 10; ++i) axes.push_back(any_number("a" + std::to_string(i)));
    variants_ = {{"steady", DeviceKind::cpu, "a toy", SearchSpace(axes)},
                 {"even", DeviceKind::cpu, "a toy", SearchSpace(axes)}};
  }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }

 private:
  SearchSpace problems_{{any_number("size"), any_number("seed")}};
  std::vector<Variant> variants_;
};

Registry open_registry() {
  Registry registry;
  registry.families.push_back(std::make_shared<OpenFamily>());
  registry.probes.push_back(std::make_shared<ToyProbe>());
  return registry;
}

nlohmann::json numbers(std::int64_t from, std::int64_t count) {
  nlohmann::json list = nlohmann::json::array();
  for (std::int64_t i = 0; i < count; ++i) list.push_back(from + i);
  return list;
}

/// A list of one: braces around a single object make that object.
nlohmann::json list_of(const nlohmann::json& only) {
  return nlohmann::json::array({only});
}

SuiteConfig config_of(const nlohmann::json& problems, const nlohmann::json& variants,
                      const nlohmann::json& probes = nlohmann::json::object()) {
  SuiteConfig config;
  config.source = "t.json";
  config.document = {{"probes", probes},
                     {"families", {{"toy", {{"problems", problems}, {"variants", variants}}}}}};
  return config;
}

Sweep planned(const SuiteConfig& config) {
  static const Registry registry = open_registry();
  return plan(config, registry, kCpu);
}

TEST(PlanScale, ManyProblemsOfOverlappingSubSpacesAreEachPlannedOnce) {
  const nlohmann::json problems = {{{"size", numbers(0, kMany)}}, {{"size", numbers(1000, kMany)}}};
  const Sweep sweep = planned(config_of(problems, {{"steady", nlohmann::json::object()}}));
  ASSERT_EQ(sweep.kernels.size(), static_cast<std::size_t>(kMany + 1000));
  for (std::int64_t i = 0; i < kMany + 1000; ++i)
    ASSERT_EQ(sweep.kernels[static_cast<std::size_t>(i)].key.problem.integer("size"), i);
}

TEST(PlanScale, ManyTuningPointsOfOverlappingSubSpacesAreEachPlannedOnceAndGrouped) {
  const nlohmann::json spaces = {{{"a0", numbers(0, kMany)}}, {{"a0", numbers(1000, kMany)}}};
  const Sweep sweep = planned(
      config_of(list_of(nlohmann::json::object()), {{"steady", spaces}, {"even", {{"a0", numbers(0, 10)}}}}));
  ASSERT_EQ(sweep.kernels.size(), static_cast<std::size_t>(kMany + 1000 + 10));
  EXPECT_EQ(sweep.kernels[0].key.variant, "even");
  EXPECT_EQ(sweep.kernels[1].key.variant, "steady");
  for (std::int64_t i = 0; i < kMany + 1000; ++i)
    ASSERT_EQ(sweep.kernels[static_cast<std::size_t>(i < 10 ? 2 * i + 1 : i + 10)].key.point.integer("a0"),
              i);
}

TEST(PlanScale, ManyFootprintsOfAProbe) {
  const SuiteConfig config =
      config_of(nlohmann::json::array(), nlohmann::json::object(),
                {{"random_access", {{"footprint_bytes", numbers(4096, kMany)}, {"refine", true}}}});
  const Sweep sweep = planned(config);
  ASSERT_EQ(sweep.probes.size(), static_cast<std::size_t>(kMany));
  for (const State& state : sweep.probes) ASSERT_TRUE(wants_refinement(config, state.key.family));
}

TEST(PlanScale, ManyCurvesAreSharedByManyShards) {
  const SuiteConfig config = config_of(
      list_of({{"size", numbers(0, kMany)}}), {{"steady", nlohmann::json::object()}},
      {{"random_access", {{"footprint_bytes", numbers(4096, kMany / 4)}, {"block_bytes", {64, 128}}}}});
  const Sweep sweep = planned(config);
  const auto total = static_cast<std::int64_t>(sweep.probes.size() + sweep.kernels.size());
  std::int64_t states = 0;
  for (const int index : {1, 2, 3})
    for (const auto mine = in_shard(sweep, {.index = index, .count = 3}, config);
         const auto* part : {&mine.probes, &mine.kernels})
      states += static_cast<std::int64_t>(part->size());
  EXPECT_EQ(states, total);
  const Sweep last = in_shard(sweep, {.index = kMostShards, .count = kMostShards}, config);
  EXPECT_LE(last.probes.size() + last.kernels.size(), 1u);
}

std::string refusal_of(const SuiteConfig& config) {
  try {
    planned(config);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(PlanScale, MoreStatesThanAPlanMayHaveAreRefusedBeforeTheyAreMade) {
  nlohmann::json hundred_each = nlohmann::json::object();
  for (int i = 0; i < 10; ++i) hundred_each["a" + std::to_string(i)] = numbers(0, 100);
  const nlohmann::json one = nlohmann::json::object();
  expect_text(refusal_of(config_of(list_of(one), {{"steady", hundred_each}})));
  const nlohmann::json thousands = {{"size", numbers(0, 3'200)}, {"seed", numbers(0, 3'200)}};
  expect_text(refusal_of(config_of(list_of(thousands), {{"steady", one}})));
  // Neither problems nor points are too many, but their product is.
  expect_text(refusal_of(
      config_of(list_of({{"size", numbers(0, 4'000)}}), {{"steady", {{"a0", numbers(0, 4'000)}}}})));
}

TEST(PlanScale, ThePlanCommandPrintsManyGroupsAndKeepsToFilterAndShard) {
  const Scratch scratch;
  SuiteConfig config =
      config_of(list_of({{"size", numbers(0, kMany)}}), {{"steady", nlohmann::json::object()}});
  config.document["name"] = "t";
  config.document["devices"] = "cpu";
  const auto file = scratch.write("t.json", config.document.dump());
  Program all(scratch, {"plan", "--config", file});
  EXPECT_EQ(all.wait(), 0) << all.err();
  EXPECT_EQ(count_lines(scratch / "out.txt", "toy/steady (size="), kMany);
  Program some(scratch,
               {"plan", "--states", "--config", file, "--shard", "3/8", "--benchmark_filter=size=[0-9]*7,"});
  EXPECT_EQ(some.wait(), 0) << some.err();
  EXPECT_EQ(count_lines(scratch / "out.txt", "toy/steady/size="), kMany / 10 / 8);
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::open_registry());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
