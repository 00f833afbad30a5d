#include <algorithm>

#include "bench/plan/plan.hpp"
#include "tests/bench/environment.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Runs of states whose bounds need probes that no config lists.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string config(const std::string& more = "") {
  return std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling + more +
         R"(, "tune": {"remeasure": 0}, "families": {"toy": {"problems": [{}],
             "variants": {"touchy": {"speed": [1, 2]}, "steady": {"speed": [1, 2]}}}}})";
}

std::size_t probes(const fs::path& dir) {
  return static_cast<std::size_t>(std::ranges::count(records(dir), "probe", &results::Record::kind));
}

class NeededProbesRun : public ::testing::Test {
 protected:
  int run_here(std::vector<std::string> more = {}, const std::string& in_config = "") {
    more.insert(more.begin(), {"--config", scratch_.write("toys.json", config(in_config)), "--output", dir_,
                               "--no-report"});
    const Result result = result_of(scratch_, "run", more);
    said_ = result.out + result.err;
    return result.code;
  }

  Scratch scratch_;
  const fs::path dir_ = scratch_ / "run";
  std::string said_;
};

TEST_F(NeededProbesRun, GiveABoundWithoutBeingListed) {
  ASSERT_EQ(run_here(), 0) << said_;
  EXPECT_EQ(probes(dir_), 5u);  // 64 KiB to 1 MiB
  for (const results::Record& record : records(dir_))
    if (record.state.variant == "touchy") {
      EXPECT_TRUE(record.bound.value) << record.bound.reason;
    }
  expect_text(lines_with(said_, " have a bound"));
}

TEST_F(NeededProbesRun, ComeWithTheStatesThatAFilterLetsThrough) {
  ASSERT_EQ(run_here({"--benchmark_filter=touchy.*speed=2"}), 0) << said_;
  EXPECT_EQ(probes(dir_), 5u);
  EXPECT_EQ(records(dir_).size(), 6u);
}

TEST_F(NeededProbesRun, AreNotMeasuredForStatesThatAFilterTakesAway) {
  ASSERT_EQ(run_here({"--benchmark_filter=steady"}), 0) << said_;
  EXPECT_EQ(probes(dir_), 0u);
}

TEST_F(NeededProbesRun, AreProbesOfACommandThatRunsOnlyThese) {
  const Result result =
      result_of(scratch_, "probe", {"--config", scratch_.write("toys.json", config()), "--output", dir_});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(probes(dir_), 5u);
  EXPECT_EQ(records(dir_).size(), 5u);
}

TEST_F(NeededProbesRun, AreNotMeasuredAgainByARunThatGoesOn) {
  ASSERT_EQ(run_here(), 0) << said_;
  const std::size_t before = records(dir_).size();
  EXPECT_EQ(run(scratch_, {"--resume", dir_, "--no-report"}), 0);
  EXPECT_EQ(records(dir_).size(), before);
}

TEST_F(NeededProbesRun, ComeBeforeListedOnesWithinABudget) {
  ASSERT_EQ(run_here({"--budget", "60"},
                     R"(, "probes": {"random_access": {"footprint_bytes": [1048576, 4194304, 8388608]}})"),
            0)
      << said_;
  std::vector<std::int64_t> footprints;
  for (const results::Record& record : records(dir_))
    if (record.kind == "probe") footprints.push_back(footprint_of(record.state).value_or(0));
  ASSERT_EQ(footprints.size(), 7u);
  EXPECT_EQ(std::ranges::max(std::span(footprints).first(5)), 1048576);
  EXPECT_EQ(std::ranges::min(std::span(footprints).last(2)), 4194304);
}

/// A probe that is a thousand times too slow in its only pass: the memory of the toy per ms violates it.
TEST_F(NeededProbesRun, AreMeasuredOnceMoreWhereAKernelViolatesThem) {
  const Environment asleep("TOY_ASLEEP", "1");
  ASSERT_EQ(run_here({"--benchmark_filter=touchy"}), 0) << said_;
  // The three octaves within two of the 1 MiB that the toy touches, twice.
  EXPECT_EQ(probes(dir_), 5u + 6u);
  for (const results::Record& record : records(dir_)) {
    if (record.kind != "kernel") continue;
    ASSERT_TRUE(record.bound.value) << record.bound.reason;
    EXPECT_LT(record.bound.value->fraction, 1);
    EXPECT_THAT(record.notes, ::testing::Not(::testing::Contains(HasSubstr("violated"))));
  }
  EXPECT_THAT(said_, ::testing::Not(HasSubstr("violated bounds")));
}

TEST_F(NeededProbesRun, AreMeasuredNoOftenerThanForEachKernelWhereTheBoundStaysViolated) {
  const Environment asleep("TOY_ASLEEP", "1000");
  ASSERT_EQ(run_here({"--benchmark_filter=touchy"}), 0) << said_;
  EXPECT_EQ(probes(dir_), 5u + 2u * 6u);  // two kernels, a look for each
  for (const results::Record& record : records(dir_))
    if (record.kind == "kernel") {
      EXPECT_THAT(record.notes, ::testing::Contains(HasSubstr("violated")));
    }
  EXPECT_THAT(said_, HasSubstr("violated bounds: 2, the most by "));
}

TEST_F(NeededProbesRun, AreListedByThePlanWithWhatTheyTakeAndWhatIsLeftOut) {
  const std::string all = scratch_.write("all.json", config());
  const Result planned = result_of(scratch_, "plan", {"--config", all});
  expect_text(at_any_load(planned.out));
  const Result little = result_of(scratch_, "plan", {"--config", all, "--set", "probe_budget_s=0.4"});
  expect_text(at_any_load(lines_beyond(little.out, planned.out)));
}

}  // namespace
}  // namespace gpuseq::bench
