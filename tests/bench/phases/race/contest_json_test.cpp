#include "bench/phases/race/contest_json.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/phases/race/objective.hpp"
#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;
using testing::kernel_record;

Record holding(std::uint64_t bytes, Record record) {
  record.memory = {HeldMemory{{{"index", bytes - 1}, {"output", 1}}}, {}};
  return record;
}

ordered_json winner_of(const std::vector<Record>& records, std::optional<std::uint64_t> max_bytes = {}) {
  results::PhaseTimes times;
  for (const Record& record : records) times.note(record, record.state.device);
  return contest_json(contests(records, {.limits = {.bytes = max_bytes}}).at(0), {.bytes = max_bytes}, times);
}

TEST(ContestJson, SaysWhatAWinnerHoldsAndWhatComesNext) {
  const auto json = winner_of({holding(900, kernel_record("a", 1, {1e-3})), kernel_record("b", 1, {2e-3})});
  EXPECT_EQ(json["memory"], ordered_json::parse(R"({"bytes": 900, "parts": {"index": 899, "output": 1}})"));
  EXPECT_EQ(json["runners_up"][0]["bytes"], nullptr);
  EXPECT_FALSE(json.contains("max_bytes"));
  EXPECT_EQ(memory_text(json), "holds 900 B");
  const auto silent = winner_of({kernel_record("b", 1, {2e-3})});
  EXPECT_EQ(silent["memory"], nullptr);
  EXPECT_TRUE(silent["memory_reason"].is_string());
  EXPECT_EQ(memory_text(silent), "");
}

TEST(ContestJson, NamesTheWinnerWithoutTheLimitBesideIt) {
  const std::vector records{holding(900'000, kernel_record("large", 4, {1e-3})),
                            holding(200'000, kernel_record("small", 1, {2e-3}))};
  const auto json = winner_of(records, 500'000);
  EXPECT_EQ(json["variant"], "small");
  EXPECT_EQ(json["max_bytes"], 500'000);
  EXPECT_EQ(json["without_limit"]["variant"], "large");
  EXPECT_EQ(json["without_limit"]["memory"]["bytes"], 900'000);
  EXPECT_EQ(memory_text(json),
            "holds 200 kB of at most 500 kB; without the limit large (k=4): 100 ktoys/s, 900 kB");
}

TEST(ContestJson, IsTheBestWithoutTheLimitOnlyIfOthersWereMeasured) {
  std::vector records{holding(900'000, kernel_record("large", 4, {1e-3})),
                      holding(200'000, kernel_record("small", 1, {2e-3}))};
  const auto alone = winner_of(records, 1'000'000);
  EXPECT_FALSE(alone.contains("without_limit"));
  EXPECT_EQ(memory_text(alone), "holds 900 kB of at most 1 MB");
  records.push_back(holding(2'000'000, kernel_record("larger", 4, {3e-3})));
  const auto best = winner_of(records, 1'000'000);
  EXPECT_EQ(best.at("without_limit"), nullptr);
  EXPECT_EQ(memory_text(best), "holds 900 kB of at most 1 MB, and is the best without this limit too");
}

TEST(ContestJson, NamesTheLeastThatThereIsWhereNothingFits) {
  const std::vector records{holding(900'000, kernel_record("large", 4, {1e-3})),
                            holding(200'000, kernel_record("small", 1, {2e-3}))};
  const auto json = nothing_fits_json(contests(records, {.limits = {.bytes = 1000}}).at(0), {.bytes = 1000});
  EXPECT_EQ(json["least"]["variant"], "small");
  EXPECT_EQ(json["without_limit"]["variant"], "large");
  EXPECT_EQ(nothing_fits_text(json),
            "toy on cpu: nothing holds at most 1 kB; the least is small (k=1), 200 kB");
}

TEST(ContestJson, ALimitOfTheIndexCountsNothingElse) {
  const std::vector records{holding(900'000, kernel_record("large", 4, {1e-3})),
                            holding(200'000, kernel_record("small", 1, {2e-3}))};
  const auto winner = [&](const MemoryLimits& limits) {
    return contest_json(contests(records, {.limits = limits}).at(0), limits, phase_times_of(records));
  };
  const auto json = winner({.index_bytes = 899'999});
  EXPECT_EQ(json["variant"], "large");
  EXPECT_EQ(json["max_index_bytes"], 899'999);
  expect_text(memory_text(json));
  expect_text(memory_text(winner({.index_bytes = 200'000})));
  expect_text(memory_text(winner({.bytes = 300'000, .index_bytes = 899'999})));
  const MemoryLimits none{.bytes = 1000, .index_bytes = 1000};
  expect_text(nothing_fits_text(nothing_fits_json(contests(records, {.limits = none}).at(0), none)));
}

/// A record of a kernel that uses an index.
Record waited_for(const char* variant, double kernel_s, double index_s) {
  Record record = kernel_record(variant, 1, {kernel_s});
  record.facts = {{"build_s", index_s}, {"from_cache", true}};
  return record;
}

TEST(ContestJson, SaysWhatAUserWaitsForAndWhoIsBestByIt) {
  const std::vector records{waited_for("quick", 0.001, 0.5), waited_for("slow", 0.004, 0.25),
                            waited_for("slower", 0.005, 0.4)};
  const auto json = winner_of(records);
  EXPECT_EQ(json["variant"], "quick");
  const ordered_json& waits = json["waits"];
  EXPECT_EQ(waits["kernel_s"], 0.001);
  EXPECT_DOUBLE_EQ(waits["total_s"].get<double>(), 0.501);
  EXPECT_EQ(waits["parts"], ordered_json::parse(R"({"index": 0.5, "kernel": 0.001})"));
  EXPECT_EQ(waits["index_from_cache"], true);
  EXPECT_EQ(waits["best"]["variant"], "slow");
  EXPECT_DOUBLE_EQ(waits["best"]["total_s"].get<double>(), 0.254);
  EXPECT_EQ(waits_text(json),
            "a user waits 501 ms (index 500 ms, kernel 1 ms); the least is 254 ms with slow (k=1)");
  EXPECT_EQ(winner_of({records[0]})["waits"]["best"], nullptr);
}

TEST(ContestJson, SaysWhyNobodyKnowsWhatAUserWaitsFor) {
  Record record = kernel_record("gpu", 1, {1e-3});
  record.state.device = "cuda:0";
  const auto json = winner_of({record});
  EXPECT_EQ(json["waits"], nullptr);
  expect_text(json["waits_reason"].get<std::string>());
  EXPECT_EQ(waits_text(json), "");
}

TEST(ContestJson, WinnersNumbersAreOfAllRounds) {
  std::vector<Record> records{waited_for("a", 1e-3, 0.5), waited_for("b", 1.1e-3, 0.5)};
  for (int round = 0; round < 2; ++round)
    for (const char* variant : {"a", "b"}) {
      const double seconds = (round == 0 ? 2e-3 : 1e-3) * (*variant == 'a' ? 1 : 1.25);
      records.push_back(kernel_record(variant, 1, std::vector<double>(20, seconds), "tune", round));
      records.back().facts = {{"build_s", 0.5}};
      records.back().bound.value =
          results::Bound{.rate = 2e5, .bound_by = "DRAM", .explanation = "", .fraction = 0.0005 / seconds};
    }
  results::PhaseTimes times;
  const auto json = contest_json(contests(records, {.remeasure = 2, .rounds = 2}).at(0), {}, times);
  const double rate = 100 / std::sqrt(2e-6);
  EXPECT_EQ(json["variant"], "a");
  EXPECT_NEAR(json["rate"].get<double>(), rate, 1e-6 * rate);
  EXPECT_NEAR(json["rate_low"].get<double>(), 50e3, 1);
  EXPECT_NEAR(json["rate_high"].get<double>(), 100e3, 1);
  EXPECT_EQ(json["samples"], 40);
  EXPECT_EQ(json["rounds"], 2);
  EXPECT_NEAR(json["fraction_of_bound"].get<double>(), rate / 2e5, 1e-6);
  EXPECT_NEAR(json["waits"]["kernel_s"].get<double>(), 100 / rate, 1e-9);
  EXPECT_NEAR(json["waits"]["total_s"].get<double>(), 0.5 + 100 / rate, 1e-9);
  EXPECT_NEAR(json["runners_up"][0]["share_of_winner"].get<double>(), 0.8, 1e-9);
  EXPECT_EQ(json["runners_up"][0]["measured_again"], true);
}

}  // namespace
}  // namespace gpuseq::bench
