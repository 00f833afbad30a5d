#include "bench/plan/needed_probes.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "bench/plan/plan.hpp"
#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<DeviceInfo> kCpu{
    {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{1} << 30}};

/// A family whose variants have the estimates of a test.
class Needy : public Family {
 public:
  void add(const std::string& name, EstimateCost cost) {
    variants_.push_back({.name = name,
                         .summary = "reads or executes something",
                         .space = SearchSpace({threads_axis()}),
                         .cost = std::move(cost)});
  }
  std::string_view name() const override { return "needy"; }
  std::string_view summary() const override { return "Bounded by probes"; }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override { return nullptr; }

 private:
  SearchSpace problems_{{open_word_axis("reference", {AxisValue("random")}, "what", "a data entry")}};
  std::vector<Variant> variants_;
};

/// Plans one family's variants, and the probes of their bounds.
class NeededProbesTest : public ::testing::Test {
 protected:
  NeededProbesTest() {
    for (auto& probe : probes::make_probes()) registry_.probes.push_back(std::move(probe));
    registry_.families.push_back(family_);
  }
  NeededProbes needed(json more = json::object(), std::span<const DeviceInfo> devices = kCpu) {
    json variants = json::object();
    for (const Variant& variant : family_->variants()) variants[variant.name] = json::object();
    json document{{"name", "t"},
                  {"families", {{"needy", {{"problems", {json::object()}}, {"variants", variants}}}}}};
    document.update(more);
    const SuiteConfig config = config_from_json(document, "t.json", "/");
    const Sweep sweep = plan(config, registry_, devices);
    return needed_probes(sweep.kernels, sweep.probes, config, registry_, devices);
  }
  /// Not of the curve for the caches.
  static bool prefetches(const State& state) {
    return !state.key.point.has("prefetch") || state.key.point.word("prefetch") != "none";
  }
  static std::vector<std::string> keys(const NeededProbes& needed, const std::string& probe) {
    std::vector<std::string> found;
    for (const State& state : needed.states)
      if (state.key.family == probe && prefetches(state)) found.push_back(state.key.to_string());
    return found;
  }
  static std::set<std::int64_t> footprints(const NeededProbes& needed, const std::string& probe) {
    std::set<std::int64_t> found;
    for (const State& state : needed.states)
      if (state.key.family == probe && prefetches(state))
        found.insert(state.key.point.integer(kFootprintAxis));
    return found;
  }
  static EstimateCost traffic(std::size_t block_bytes, std::uint64_t footprint,
                              const std::string& access = "independent") {
    return [=](const StateOutline&) {
      return Cost{.traffic =
                      Traffic{.block_bytes = block_bytes, .footprint_bytes = footprint, .access = access}};
    };
  }
  static EstimateCost executing(std::map<std::string, double> operations) {
    return [=](const StateOutline&) {
      return Cost{.instructions = Instructions{.operations = operations, .target = "avx2"}};
    };
  }

  std::shared_ptr<Needy> family_ = std::make_shared<Needy>();
  Registry registry_;
};

TEST_F(NeededProbesTest, ACurveGoesByOctavesToTheFirstThatHoldsWhatIsTouched) {
  family_->add("reader", traffic(32, 300'000));
  const NeededProbes found = needed();
  EXPECT_EQ(footprints(found, "random_access"), (std::set<std::int64_t>{1 << 16, 1 << 17, 1 << 18, 1 << 19}));
  EXPECT_THAT(keys(found, "random_access"),
              ::testing::Each(AllOf(HasSubstr("block_bytes=32"), HasSubstr("access=independent"),
                                    HasSubstr("threads=0"), HasSubstr("prefetch=software_l2"))));
  EXPECT_THAT(keys(found, "latency"), IsEmpty());
  EXPECT_THAT(found.remarks, IsEmpty());
}

TEST_F(NeededProbesTest, WhatIsInACpusCachesIsAlsoReadWithoutPrefetching) {
  family_->add("reader", traffic(32, 64 << 20));
  std::set<std::int64_t> without;
  for (const State& state : needed().states)
    if (!prefetches(state)) without.insert(state.key.point.integer(kFootprintAxis));
  EXPECT_EQ(without, (std::set<std::int64_t>{1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}));
}

TEST_F(NeededProbesTest, AccessesThatWaitForEachOtherNeedTheLatencyAsWell) {
  family_->add("chaser", traffic(32, 300'000, "dependent"));
  EXPECT_EQ(footprints(needed(), "latency"), (std::set<std::int64_t>{1 << 16, 1 << 17, 1 << 18, 1 << 19}));
}

TEST_F(NeededProbesTest, BlocksBetweenTwoSizesNeedBoth) {
  family_->add("reader", traffic(96, 1 << 16));
  const auto found = keys(needed(), "random_access");
  EXPECT_EQ(found.size(), 2u);
  EXPECT_THAT(found, Contains(HasSubstr("block_bytes=64")));
  EXPECT_THAT(found, Contains(HasSubstr("block_bytes=128")));
}

TEST_F(NeededProbesTest, ACurveEndsAtTheMemoryOfTheDevice) {
  family_->add("reader", traffic(64, std::uint64_t{1} << 40));
  EXPECT_EQ(*footprints(needed({{"probe_budget_s", 1000}}), "random_access").rbegin(), 1 << 30);
}

TEST_F(NeededProbesTest, ACurveIsFinerWhereTranslationsFail) {
  const std::vector<DeviceInfo> large{
      {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{140} << 30}};
  family_->add("reader", traffic(64, 110'000'000'000));
  const std::set<std::int64_t> found = footprints(needed({{"probe_budget_s", 1e6}}, large), "random_access");
  constexpr std::int64_t kGiB = std::int64_t{1} << 30;
  EXPECT_EQ(std::set<std::int64_t>(found.upper_bound(16 * kGiB), found.upper_bound(64 * kGiB)),
            (std::set<std::int64_t>{32 * kGiB, std::int64_t{38'968} << 20, std::int64_t{46'341} << 20,
                                    std::int64_t{55'109} << 20, 64 * kGiB}));
  // The level that holds it is as large as it, to a MiB, and not an octave's quarter of 110'218 MiB.
  EXPECT_EQ(*found.rbegin(), std::int64_t{104'905} << 20);
  EXPECT_EQ(*std::next(found.rbegin()), std::int64_t{92'682} << 20);
  EXPECT_EQ(found.count(12 * kGiB), 0u);
}

TEST_F(NeededProbesTest, EachLargeFootprintHasAPointOfItsOwn) {
  const std::vector<DeviceInfo> large{
      {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{140} << 30}};
  // Both between the quarters of an octave at 64 and 76 GiB, and of one device with as many threads.
  family_->add("reader", traffic(64, 73'100'000'000));
  family_->add("larger", traffic(64, 78'000'000'000));
  const std::set<std::int64_t> found = footprints(needed({{"probe_budget_s", 1e6}}, large), "random_access");
  EXPECT_EQ(std::set<std::int64_t>(found.upper_bound(std::int64_t{64} << 30), found.end()),
            (std::set<std::int64_t>{std::int64_t{69'714} << 20, std::int64_t{74'387} << 20}));
}

TEST_F(NeededProbesTest, AFootprintBelowWhereTranslationsFailIsHeldByItsOctave) {
  const std::vector<DeviceInfo> large{
      {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{140} << 30}};
  family_->add("reader", traffic(64, 20'000'000'001));
  const std::set<std::int64_t> found = footprints(needed({{"probe_budget_s", 1e6}}, large), "random_access");
  EXPECT_EQ(*found.rbegin(), std::int64_t{32} << 30);
  EXPECT_EQ(*std::next(found.rbegin()), std::int64_t{16} << 30);
}

TEST_F(NeededProbesTest, AFootprintNearTheEndOfAnL2HasAPointOfItsOwn) {
  const auto last_of = [this](std::uint64_t footprint) {
    family_ = std::make_shared<Needy>();
    registry_.families = {family_};
    family_->add("reader", traffic(64, footprint));
    const std::vector<DeviceInfo> device{
        {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{1} << 30, .l2_bytes = 60 << 20}};
    return *footprints(needed({{"probe_budget_s", 1e6}}, device), "random_access").rbegin();
  };
  EXPECT_EQ(last_of(49'389'248), 48 << 20);  // 47.1 MiB, and not 64
  EXPECT_EQ(last_of(29'752'800), 29 << 20);  // the end of the near half
  EXPECT_EQ(last_of(14 << 20), 16 << 20);
  EXPECT_EQ(last_of(130 << 20), 256 << 20);
}

TEST_F(NeededProbesTest, WhatTheConfigListsIsNotPlannedTwice) {
  family_->add("reader", traffic(32, 1 << 18));
  const json listed = json::parse(R"({"random_access": {"footprint_bytes": [65536, 262144], "block_bytes": 32,
      "cpu": {"prefetch": "software_l2", "in_flight": 96, "threads": 0}}})");
  EXPECT_EQ(footprints(needed({{"probes", listed}}), "random_access"), (std::set<std::int64_t>{1 << 17}));
}

TEST_F(NeededProbesTest, OfDevicesThatShareTheWorkEachIsProbedForItsOwn) {
  family_->add("hybrid", [](const StateOutline&) {
    return Cost{.instructions =
                    Instructions{.by_device = {{"cpu", {{"add_s16", 1}}, "avx2"}, {"cuda", {{"prmt", 1}}}}}};
  });
  const std::vector<DeviceInfo> both{kCpu.front(), {.id = "cuda:0", .kind = DeviceKind::cuda}};
  const std::vector<std::string> found = keys(needed(json::object(), both), "instruction_throughput");
  EXPECT_THAT(found, Contains(AllOf(HasSubstr("operation=add_s16,"), HasSubstr("target=avx2"),
                                    HasSubstr("threads=0"), HasSubstr("/cpu"))));
  EXPECT_THAT(keys(needed(), "instruction_throughput"), ::testing::Each(HasSubstr("/cpu")));
#if GPUSEQ_HAVE_CUDA
  EXPECT_THAT(found, Contains(AllOf(HasSubstr("operation=prmt"), HasSubstr("/cuda:0"))));
#endif
}

TEST_F(NeededProbesTest, VariantsShareThePointsThatBothNeed) {
  family_->add("reader", traffic(32, 1 << 18));
  family_->add("other", traffic(32, 1 << 17));
  EXPECT_EQ(keys(needed(), "random_access").size(), 3u);
}

TEST_F(NeededProbesTest, OperationsAreProbedWithTheStatesInstructionSet) {
  family_->add("adder", executing({{"add_u8", 1}, {"load", 1}}));
  const auto found = keys(needed(), "instruction_throughput");
  EXPECT_THAT(found, Contains(AllOf(HasSubstr("operation=add_u8,"), HasSubstr("target=avx2"))));
  EXPECT_THAT(found, Contains(HasSubstr("operation=load,")));
  EXPECT_THAT(found, Not(Contains(HasSubstr("operation=store,"))));
}

TEST_F(NeededProbesTest, AnOperationWithoutAProbeIsSaid) {
  family_->add("divider", executing({{"divide", 1}}));
  expect_text(needed().remarks);
}

TEST_F(NeededProbesTest, TheBudgetIsSpentOnBoundsFirstAndWhatItLeavesOutIsSaid) {
  family_->add("adder", executing({{"add_u8", 1}}));
  family_->add("reader", traffic(32, 64 << 20));
  const json sampling{{"max_seconds", 0.1}, {"probe_passes", 1}};
  const NeededProbes all = needed({{"sampling", sampling}});
  EXPECT_THAT(all.remarks, IsEmpty());
  // Each takes about 0.15 s, and the filling of memory: the operation and the three nearest octaves, with and
  // without prefetching.
  const NeededProbes few = needed({{"sampling", sampling}, {"probe_budget_s", 1.2}});
  EXPECT_EQ(keys(few, "instruction_throughput").size(), 1u);
  EXPECT_EQ(footprints(few, "random_access").count(64 << 20), 1u);
  EXPECT_EQ(footprints(few, "random_access").count(1 << 16), 0u);
  ASSERT_EQ(few.remarks.size(), 1u);
  expect_text(few.remarks[0]);
  const NeededProbes hardly = needed({{"sampling", sampling}, {"probe_budget_s", 0.2}});
  expect_text(hardly.remarks.at(0));
  EXPECT_THAT(needed({{"probe_budget_s", 0}}).states, IsEmpty());
}

TEST_F(NeededProbesTest, TheBudgetPaysForEveryPass) {
  family_->add("reader", traffic(32, 64 << 20));
  const NeededProbes once = needed({{"sampling", {{"probe_passes", 1}}}, {"probe_budget_s", 2.5}});
  const NeededProbes often = needed({{"sampling", {{"probe_passes", 9}}}, {"probe_budget_s", 2.5}});
  EXPECT_FALSE(often.states.empty());
  EXPECT_LT(2 * often.states.size(), once.states.size());
}

TEST_F(NeededProbesTest, AStateThatCannotBeHadNeedsNothing) {
  family_->add("elsewhere", [](const StateOutline&) -> Cost { throw ResourceError("no AVX-512"); });
  const NeededProbes found = needed();
  EXPECT_THAT(found.states, IsEmpty());
  EXPECT_THAT(found.remarks, IsEmpty());
}

TEST_F(NeededProbesTest, TheSizeOfAFileBoundsWhatIsTouched) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "packed.fa.gz") << std::string(50'000, 'x');
  family_->add("reader", [](const StateOutline& state) {
    return Cost{.traffic = Traffic{.block_bytes = 32,
                                   .footprint_bytes = state.letters("reference", 1000, {"random"})}};
  });
  EXPECT_EQ(*footprints(needed(), "random_access").rbegin(), 1 << 16);
  const json of_file{
      {"data", {{"genome", {{"path", (folder.path() / "packed.fa.gz").string()}}}}},
      {"families",
       {{"needy", {{"problems", {{{"reference", "genome"}}}}, {"variants", {{"reader", json::object()}}}}}}}};
  EXPECT_EQ(*footprints(needed(of_file), "random_access").rbegin(), 1 << 18);
}

}  // namespace
}  // namespace gpuseq::bench
