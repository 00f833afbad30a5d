#include "bench/phases/race/why_text.hpp"

#include <gmock/gmock.h>

#include "bench/phases/race/contest_json.hpp"
#include "bench/phases/race/objective.hpp"
#include "bench/phases/race/pareto.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;
using testing::kernel_record;

Record holding(std::uint64_t bytes, Record record) {
  record.memory = {HeldMemory{{{"index", bytes}}}, {}};
  return record;
}

std::string why(const std::vector<Record>& records, const TuneOptions& options = {}) {
  return why_text(contest_json(contests(records, options).at(0), options.limits, phase_times_of(records)));
}

/// Records of a race of three rounds.
void race(std::vector<Record>& records, const char* variant, std::uint64_t bytes,
          const std::vector<double>& seconds) {
  for (int round = 0; round < 3; ++round)
    records.push_back(holding(
        bytes, kernel_record(variant, 1, {seconds.at(static_cast<std::size_t>(round))}, "tune", round)));
}

TEST(WhyText, SaysWhoIsBestOfWhatAndFromWhomARaceToldIt) {
  std::vector records{holding(900, kernel_record("fast", 1, {1e-3})),
                      holding(200, kernel_record("slow", 1, {2e-3}))};
  race(records, "fast", 900, {1e-3, 1e-3, 1e-3});
  race(records, "slow", 200, {2e-3, 2e-3, 2e-3});
  const std::string text = why(records);
  expect_text(text);
}

TEST(WhyText, CallsATieATieAndSaysToWhomItWent) {
  std::vector records{holding(900, kernel_record("large", 1, {1e-3})),
                      holding(200, kernel_record("small", 1, {1.001e-3}))};
  race(records, "large", 900, {1e-3, 1.02e-3, 1e-3});
  race(records, "small", 200, {1.01e-3, 1e-3, 1.01e-3});
  const auto contest = contests(records, TuneOptions{}).at(0);
  const auto json = contest_json(contest, {}, phase_times_of(records));
  EXPECT_EQ(json["variant"], "small");
  ASSERT_EQ(json["tied_with"].size(), 1u);
  EXPECT_EQ(json["tied_with"][0]["variant"], "large");
  EXPECT_EQ(json["tied_with"][0]["bytes"], 900);
  EXPECT_EQ(json["race"]["rounds"], 3);
  expect_text(why_text(json));
}

TEST(WhyText, SaysWhereNobodyRaced) {
  expect_text(why({kernel_record("a", 1, {1e-3}), kernel_record("b", 1, {2e-3})}));
}

TuneOptions rate_and_memory() {
  TuneOptions options;
  options.objectives = objectives_of_words("throughput:memory");
  return options;
}

TEST(Pareto, HasWhatNobodyBeatsInBothFromTheBestByTheFirst) {
  const std::vector records{
      holding(900, kernel_record("fast", 1, {1e-3})),    holding(950, kernel_record("beaten", 1, {2e-3})),
      holding(500, kernel_record("between", 1, {3e-3})), holding(500, kernel_record("slower", 1, {4e-3})),
      holding(100, kernel_record("small", 1, {9e-3})),   kernel_record("silent", 1, {1e-4})};
  const TuneOptions options = rate_and_memory();
  const auto sets = pareto_json(contests(records, options), options.objectives);
  ASSERT_EQ(sets.size(), 1u);
  std::vector<std::string> names;
  for (const auto& one : sets[0]["members"]) names.push_back(one["variant"]);
  EXPECT_THAT(names, ::testing::ElementsAre("fast", "between", "small"));
  EXPECT_EQ(sets[0]["members"][1]["values"][1], 500);
  EXPECT_EQ(pareto_text(sets[0]),
            "  100 ktoys/s, 900 B: fast (k=1)\n  33.3 ktoys/s, 500 B: between (k=1)\n  11.1 ktoys/s, 100 B: "
            "small (k=1)\n");
  EXPECT_TRUE(pareto_json(contests(records, TuneOptions{}), TuneOptions{}.objectives).empty());
}

TEST(Objectives, HaveWordsOfTheirOwn) {
  for (const std::string_view word : objective_words()) EXPECT_EQ(word_of(objective_of_word(word)), word);
  EXPECT_FALSE(objective_of_word("memory").maximise);
  EXPECT_EQ(objectives_of_words("energy:time_to_solution").size(), 2u);
  EXPECT_THROW(objectives_of_words("memory:memory"), UsageError);
  EXPECT_THROW(objectives_of_words("beauty"), UsageError);
  EXPECT_THROW(objectives_of_words("memory:"), UsageError);
}

}  // namespace
}  // namespace gpuseq::bench
