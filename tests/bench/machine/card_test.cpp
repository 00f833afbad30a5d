#include "bench/machine/card.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "results/journal.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

struct CommittedRun {
  explicit CommittedRun(const std::string& name)
      : summary(read_json(source_dir() / "results" / name / "run.json")),
        records(results::Journal::load(source_dir() / "results" / name / "records.jsonl")) {}
  nlohmann::json summary;
  std::vector<results::Record> records;
};

const CommittedRun& h100() {
  static const CommittedRun run("h100-instructions");
  return run;
}

TEST(MachineCard, HasEveryDeviceThatWasProbedWithWhatItStates) {
  const ordered_json card = machine_card(h100().summary, h100().records);
  EXPECT_EQ(card["schema_version"], 1);
  EXPECT_EQ(card["name"], h100().summary["name"]);
  ASSERT_TRUE(card["devices"].contains("cuda:0"));
  const ordered_json& device = card["devices"]["cuda:0"];
  EXPECT_THAT(device["name"].get<std::string>(), HasSubstr("H100"));
  EXPECT_EQ(device["stated"]["multiprocessors"], 132);
}

TEST(MachineCard, HasTheFastestPassOfEachInstructionWithItsPipe) {
  const ordered_json card = machine_card(h100().summary, h100().records);
  const ordered_json& rows = card["devices"]["cuda:0"]["instructions"];
  std::size_t operations = 0;
  for (const results::Record& record : h100().records) {
    if (record.state.family != "instruction_throughput" || record.state.device != "cuda:0" ||
        !record.statistics)
      continue;
    ++operations;
    const auto row = std::ranges::find_if(rows, [&](const ordered_json& one) {
      return one["operation"] == record.state.point.word("operation") &&
             one["threads_per_block"] == record.state.point.integer("threads_per_block");
    });
    ASSERT_NE(row, rows.end()) << record.state.to_string();
    EXPECT_GE((*row)["rate"].get<double>(), record.statistics->rate);
    EXPECT_EQ((*row)["pipe"], record.facts["pipe"]);
  }
  EXPECT_EQ(rows.size(), operations);
}

TEST(MachineCard, HasThePointsOfEveryCurve) {
  const ordered_json card = machine_card(h100().summary, h100().records);
  double largest = 0, latency = 0;
  for (const ordered_json& curve : card["devices"]["cuda:0"]["curves"])
    if (curve["probe"] == "latency")
      for (const ordered_json& point : curve["points"]) {
        largest = std::max(largest, point["footprint_bytes"].get<double>());
        latency = std::max(latency, point["median"].get<double>());
      }
  EXPECT_GT(largest, 1 << 20);
  EXPECT_GT(latency, 100);  // nanoseconds, beyond the L1
  EXPECT_LT(latency, 2000);
}

TEST(MachineCard, SaysHowQuietTheMachineWas) {
  std::vector<results::Record> records = h100().records;
  EXPECT_EQ(machine_card(h100().summary, records)["devices"]["cuda:0"]["quiet"]["verdict"], "quiet");
  for (results::Record& record : records)
    if (record.statistics) {
      record.statistics->rate_low = 0.5 * record.statistics->rate;
      record.statistics->rate_high = 1.5 * record.statistics->rate;
    }
  const ordered_json noisy = machine_card(h100().summary, records)["devices"]["cuda:0"]["quiet"];
  EXPECT_EQ(noisy["verdict"], "very noisy");
  EXPECT_DOUBLE_EQ(noisy["spread"].get<double>(), 1);
}

TEST(MachineCard, OfAMachineThatOthersUsedIsNotQuiet) {
  nlohmann::json summary = h100().summary;
  const auto quiet = [&] { return machine_card(summary, h100().records)["devices"]["cuda:0"]["quiet"]; };
  EXPECT_TRUE(quiet()["others_share"].is_null());  // of a run that does not say
  summary["host_load"] = {{"steal_share", 0.001}, {"others_share", 0.01}};
  EXPECT_EQ(quiet()["verdict"], "quiet");
  summary["host_load"]["others_share"] = 0.1;
  EXPECT_EQ(quiet()["verdict"], "noisy");
  EXPECT_THAT(card_text(machine_card(summary, h100().records)), HasSubstr("other processes took 10.0 %"));
  summary["host_load"] = {{"steal_share", 0.3}, {"others_share", 0}};
  EXPECT_EQ(quiet()["verdict"], "very noisy");
  for (const nlohmann::json& other :
       {nlohmann::json("x"), nlohmann::json(3), nlohmann::json{{"steal_share", "x"}}}) {
    summary["host_load"] = other;
    EXPECT_EQ(quiet()["verdict"], "quiet") << other;
  }
}

TEST(MachineCard, HasTheLatencyUnderEachLoadFromRestOn) {
  std::vector<results::Record> records = h100().records;
  const auto add = [&](std::int64_t threads, std::int64_t pause_ns, double load, double ns) {
    results::Record record = records.front();
    record.state = {
        .family = "loaded_latency",
        .variant = "cpu",
        .problem = {},
        .point = {{"threads", threads}, {"operation", std::string("read")}, {"pause_ns", pause_ns}},
        .device = "cuda:0"};
    record.samples_s = std::vector<double>(6, 1e5 * ns * 1e-9);
    record.work = {1e5, "accesses"};
    record.statistics = results::summarise(record.samples_s, record.work, results::kConfidence, "");
    record.facts = nlohmann::json{{"load_bytes_per_s", load}};
    records.push_back(std::move(record));
  };
  add(0, 0, 2e10, 310);
  add(0, 0, 2.1e10, 300);  // a second pass
  add(0, 1000, 5e9, 120);
  add(1, 0, 0, 95);
  const ordered_json card = machine_card(h100().summary, records);
  const ordered_json& rows = card["devices"]["cuda:0"]["loaded_latency"];
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& [row, ns] : {std::pair(0, 95), std::pair(1, 120), std::pair(2, 300)})
    EXPECT_NEAR(rows[static_cast<std::size_t>(row)]["latency_ns"].get<double>(), ns, 1e-6);
  EXPECT_THAT(card_text(card), HasSubstr("under load 95 ns at rest, 300 ns beside read of 21 GB/s"));
}

TEST(MachineCard, AsTextNamesLevelsMemoryAndInstructionsAndFitsAScreen) {
  const std::string text = card_text(machine_card(h100().summary, h100().records));
  EXPECT_THAT(text, HasSubstr("cuda:0: NVIDIA H100"));
  for (const char* line :
       {"level ", "latency", "32 B", "memory", "executes   ", "launches   ", "this machine is "})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, HasSubstr("tensor: mma_b1 "));
  EXPECT_THAT(text, HasSubstr("no curve of random accesses or latency was probed"));
  EXPECT_THAT(text, Not(HasSubstr("lop3+prmt")));  // two in turn are no operation of a pipe
  EXPECT_THAT(text, Not(HasSubstr(" nan")));
  EXPECT_THAT(text, Not(HasSubstr("null")));
  EXPECT_LT(std::ranges::count(text, '\n'), 2 * 30);
}

TEST(MachineCard, IsRefusedWhereNothingWasProbed) {
  EXPECT_THROW(machine_card(nlohmann::json::object(), {}), UsageError);
  std::vector<results::Record> kernels;
  for (const results::Record& record : h100().records)
    if (record.kind == "kernel") kernels.push_back(record);
  ASSERT_FALSE(kernels.empty());
  EXPECT_THROW(machine_card(h100().summary, kernels), UsageError);
}

TEST(MachineCard, OfARunThatDiedBeforeItsSummaryHasWhatItsRecordsSay) {
  const ordered_json card = machine_card(nlohmann::json::object(), h100().records);
  EXPECT_TRUE(card["program"].is_null());
  EXPECT_EQ(card["devices"]["cuda:0"]["name"], "cuda:0");
  EXPECT_THAT(card_text(card), HasSubstr("memory"));
}

}  // namespace
}  // namespace gpuseq::bench
