#include "bench/export/kernel_tuner.hpp"

#include <gmock/gmock.h>

#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;
using results::Status;
using ::testing::ElementsAre;

Record measured(const std::string& variant, Point point, double seconds, const std::string& device = "cpu") {
  Record record;
  record.state = {"toy", variant, {{"size", 1}}, std::move(point), device};
  record.kind = "kernel";
  record.phase = "sweep";
  record.date = "2026-11-25T03:00:00Z";
  record.work = {100, "toys"};
  record.samples_s = {seconds, seconds};
  record.took_s = 1;
  record.statistics = results::summarise(record.samples_s, record.work, 0.95, "sample limit");
  record.memory = {HeldMemory{{{"index", 500}}}, {}};
  return record;
}

Record failed(const std::string& variant, Point point, const std::string& kind,
              const std::string& reason = "") {
  Record record = measured(variant, std::move(point), 1);
  record.status = Status::failed;
  record.failure = {kind, reason};
  record.samples_s.clear();
  record.statistics.reset();
  return record;
}

std::vector<Record> toys() {
  return {measured("a", {{"k", 2}, {"layout", std::string("x")}}, 2e-3),
          measured("b", {{"k", 1}}, 1e-3),
          failed("a", {{"k", 3}, {"layout", std::string("x")}}, "wrong_result"),
          failed("a", {{"k", 4}, {"layout", std::string("x")}}, "does_not_fit"),
          failed("b", {{"k", 2}}, "timeout"),
          failed("b", {{"k", 3}}, "error", "search does not compile with sm_90: error"),
          failed("b", {{"k", 4}}, "crash"),
          measured("a", {{"k", 2}, {"layout", std::string("x")}}, 2e-3, "cuda:0")};
}

TEST(KernelTuner, HasASpaceForEachFamilyProblemAndDevice) {
  std::vector<Record> records = toys();
  records.push_back(records.front());
  records.back().state.problem = Point{{"size", 2}};
  records.push_back(records.front());  // of another phase
  records.back().phase = "tune";
  records.push_back(records.front());  // a second repetition
  const auto spaces = measured_spaces(records);
  ASSERT_EQ(spaces.size(), 3u);
  EXPECT_EQ(spaces[0].name, "toy-cpu");
  EXPECT_EQ(spaces[1].name, "toy-cuda-0");
  EXPECT_EQ(spaces[2].name, "toy-cpu-2");
  EXPECT_EQ(spaces[0].records.size(), 7u);
  EXPECT_THAT(spaces[0].parameters, ElementsAre("variant", "k", "layout"));
}

TEST(KernelTuner, CachesPointsUnderTheValuesOfAllParameters) {
  const std::vector<Record> records = toys();
  const ordered_json cache = kernel_tuner_cache(measured_spaces(records).front());
  EXPECT_EQ(cache["schema_version"], "1.1.0");
  EXPECT_EQ(cache["tune_params_keys"], (ordered_json{"variant", "k", "layout"}));
  EXPECT_EQ(cache["tune_params"]["k"], (ordered_json{1, 2, 3, 4}));
  EXPECT_EQ(cache["tune_params"]["layout"], (ordered_json{"none", "x"}));
  EXPECT_EQ(cache["cache"].size(), 7u);
  const ordered_json& one = cache["cache"]["b,1,none"];
  EXPECT_EQ(one["variant"], "b");
  EXPECT_DOUBLE_EQ(one["time"].get<double>(), 1);  // ms
  EXPECT_EQ(one["memory_bytes"], 500);
  EXPECT_DOUBLE_EQ(one["benchmark_time"].get<double>(), 2);
  EXPECT_DOUBLE_EQ(one["framework_time"].get<double>(), 998);
  EXPECT_EQ(one["timestamp"], "2026-11-25T03:00:00+00:00");
}

TEST(KernelTuner, SaysHowPointsFailedInItsWords) {
  const std::vector<Record> records = toys();
  const MeasuredSpace space = measured_spaces(records).front();
  const ordered_json cache = kernel_tuner_cache(space)["cache"];
  EXPECT_EQ(cache["a,3,x"]["time"], "RuntimeFailedConfig");
  EXPECT_EQ(cache["a,4,x"]["time"], "InvalidConfig");
  EXPECT_EQ(cache["b,3,none"]["time"], "CompilationFailedConfig");
  std::vector<std::string> words;
  const ordered_json results = t4_results(space);
  for (const ordered_json& one : results["results"]) words.push_back(one["invalidity"]);
  EXPECT_THAT(words, ElementsAre("correct", "correct", "correctness", "constraints", "timeout", "compile",
                                 "runtime"));
}

TEST(KernelTuner, OfOtherProgramsAndProbesHasNothing) {
  std::vector<Record> records = toys();
  for (Record& record : records) record.kind = "tool";
  EXPECT_TRUE(measured_spaces(records).empty());
}

}  // namespace
}  // namespace gpuseq::bench
