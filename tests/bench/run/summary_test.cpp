#include "bench/run/summary.hpp"

#include <gtest/gtest.h>

#include "bench/phases/winners/kept_winner.hpp"
#include "bench/phases/winners/tuned_file.hpp"
#include "tests/bench/records.hpp"
#include "tests/bench/toy_registry.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using nlohmann::ordered_json;
using results::Record;

const nlohmann::json kStart{
    {"schema", 2},         {"name", "toys"},        {"started", "2026-11-20T21:26:08Z"},
    {"program", "0.1.0"},  {"config", "toys"},      {"config_hash", "0"},
    {"config_source", ""}, {"invocation", nullptr}, {"devices", {{"cpu", {{"name", "A CPU"}}}}}};

ordered_json summary_of(const std::vector<Record>& records, const SuiteConfig& config = {}) {
  return summarise_run(kStart, kStart["devices"], records, config, true);
}

/// A kernel that did nothing, as a search in a reference without an occurrence.
Record idle(const char* variant) {
  Record record = kernel_record(variant, 1, {1e-3, 1e-3, 1e-3});
  record.work.amount = 0;
  record.statistics = results::summarise(record.samples_s, record.work, 0.95, "sample limit");
  record.facts = {{"build_s", 0.5}};
  return record;
}

TEST(Summary, ProblemWithoutRateHasReasonInsteadOfWinner) {
  const ordered_json summary = summary_of({idle("steady"), idle("touchy")});
  EXPECT_TRUE(summary["tuned"].empty());
  ASSERT_EQ(summary["no_rate"].size(), 1u);
  EXPECT_EQ(summary["no_rate"][0]["family"], "toy");
  EXPECT_EQ(summary["no_rate"][0]["device"], "cpu");
  EXPECT_EQ(summary["no_rate"][0]["reason"], "the work of a launch is 0 toys, which gives no rate above 0");
  EXPECT_FALSE(summary_of({idle("steady"), kernel_record("touchy", 1, {1e-3})}).contains("no_rate"));
}

TEST(Summary, TunedFileOfAnyObjectiveCanBeRead) {
  const Registry registry = toy_registry();
  Record waited = kernel_record("touchy", 1, {1e-3});
  waited.facts = {{"build_s", 0.5}};
  for (const char* metric : {"rate", "time_to_solution_s", "memory_bytes"})
    for (const std::vector<Record>& records :
         {std::vector{idle("steady")}, {idle("steady"), waited}, {waited}, {}}) {
      SuiteConfig config;
      config.tune.objectives = {{.metric = metric, .maximise = std::string(metric) == "rate"}};
      ordered_json summary = summary_of(records, config);
      summary["devices"] = {{"cpu", {{"name", "A CPU"}}}};
      const std::string text = tuned_json(summary, records, config, registry).dump();
      EXPECT_EQ(winners_from(text, "tuned.json").size(), summary["tuned"].size()) << metric;
    }
}

TEST(Summary, ItsTunedFileHasSharesOfTheWinner) {
  const Registry registry = toy_registry();
  const std::vector<Record> records{kernel_record("steady", 1, {1e-3}), kernel_record("touchy", 1, {2e-3})};
  const ordered_json summary = summary_of(records);
  const auto winners = winners_from(tuned_json(summary, records, {}, registry).dump(), "tuned.json");
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(winners[0].json["runners_up"][0]["share_of_winner"], 0.5);
  EXPECT_EQ(winners[0].json["rate"], summary["tuned"][0]["rate"]);
}

}  // namespace
}  // namespace gpuseq::bench
