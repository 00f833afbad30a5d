#include "results/reading/migration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "results/reading/provenances.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/results/example_record.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A record as the program wrote it before schema 3.
ordered_json of_version_2(const Record& record) {
  ordered_json json = to_json(record);
  json["schema_version"] = 2;
  json["provenance"] = *record.provenance;
  json["provenance"]["date"] = "2026-11-20T21:26:08Z";
  for (const auto& [today, before] :
       {std::pair("bound", "ceiling"), std::pair("bound_reason", "ceiling_reason"),
        std::pair("reference_loop", "witness"), std::pair("discarded_disturbed", "discarded_neighbours")})
    if (json.contains(today)) {
      json[before] = json[today];
      json.erase(today);
    }
  return json;
}

class Migration : public testing::Test {
 protected:
  std::vector<Record> migrated(const std::vector<ordered_json>& lines) {
    std::ofstream out(journal_);
    for (const ordered_json& line : lines) out << line.dump() << "\n";
    out.close();
    EXPECT_TRUE(has_old_records(journal_));
    return records_of_lines(migrated_records(journal_));
  }

  const TemporaryFolder folder_;
  const std::filesystem::path journal_ = folder_.path() / "records.jsonl";
};

TEST_F(Migration, KeepsEveryFieldOfARecord) {
  Random random(5);
  std::vector<ordered_json> lines;
  std::vector<Record> records;
  for (int i = 0; i < 50; ++i) {
    records.push_back(random_record(random));
    records.back().date = "2026-11-20T21:26:08Z";
    records.back().kind = i % 3 == 0 ? "tool" : "kernel";
    lines.push_back(of_version_2(records.back()));
    if (i % 3 == 0) lines.back()["kind"] = "peer";
  }
  const std::string expected = lines_of(records_of_lines(lines_of(records)));  // with printable texts
  EXPECT_TRUE(lines_of(migrated(lines)) == expected);
}

TEST_F(Migration, RenamesTheProfileOfABound) {
  Record record = full_record();
  record.bound.value->profile = {"0123456789abcdef", "2026-11-24T20:00:00Z"};
  ordered_json old = of_version_2(record);
  old["ceiling"]["source"] = "card";
  old["ceiling"]["card"] = old["ceiling"]["profile"];
  old["ceiling"].erase("profile");
  EXPECT_EQ(to_json(migrated({old}).front())["bound"], to_json(record)["bound"]);
}

TEST_F(Migration, RenamesProbesOfAnotherGpu) {
  Record record = full_record();
  record.state = {.family = "neighbour_transfer",
                  .variant = "cuda",
                  .problem = {},
                  .point = {{"neighbour", std::int64_t{1}}, {"direction", std::string("to_neighbour")}},
                  .device = "cuda:0"};
  EXPECT_EQ(migrated({of_version_2(record)}).front().state.to_string(),
            "peer_transfer/cuda//peer=1,direction=to_peer/cuda:0");
}

TEST_F(Migration, OfVersionOneGivesTheIntervalThatTheSamplesCarry) {
  ordered_json old = of_version_2(full_record());
  old["schema_version"] = 1;
  for (const char* name : {"launches_per_sample", "single_launch", "memory", "instructions"}) old.erase(name);
  old["statistics"].erase("autocorrelation_time");
  old["ceiling"].erase("source");
  old["samples_s"] = {0.1};
  old["work"]["amount"] = 1;
  ordered_json two = old;
  two["repetition"] = 7;
  two["samples_s"] = {0.1, 0.2};
  const std::vector<Record> records = migrated({old, two});
  EXPECT_FALSE(records[0].statistics->low_s || records[0].statistics->rate_high);
  expect_text(records[0].statistics->interval_reason);
  EXPECT_EQ(records[0].memory.reason, "it was not recorded");
  EXPECT_EQ(records[1].statistics->confidence, 0.5);
  EXPECT_EQ(records[1].statistics->low_s, 0.1);
  EXPECT_EQ(records[1].statistics->rate_low, 5);
}

TEST_F(Migration, NamesTheLineThatIsNoOldRecord) {
  ordered_json broken = of_version_2(full_record());
  broken["samples_s"][0] = "fast";
  expect_error_text([&] { migrated({of_version_2(full_record()), broken}); });
  expect_error_text([&] { migrated({of_version_2(full_record()), {{"schema_version", 3}}}); });
  EXPECT_THAT(
      [&] {
        migrated({{{"schema_version", 2}, {"state", "x"}}});
      },
      ThrowsMessage<UsageError>(testing::Not(HasSubstr("json.exception"))));
}

TEST_F(Migration, FindsOldRecordsWhateverTheSpaces) {
  for (const auto& [text, is_old] : {std::pair(R"({"schema_version": 3, "state": "a"})", false),
                                     std::pair(R"({"schema_version":3})", false),
                                     std::pair(R"({"provenance_id":"0123456789abcdef"})", false),
                                     std::pair(R"({"schema_version": 2, "state": "a"})", true),
                                     std::pair(R"({"schema_version":1})", true)}) {
    std::ofstream(journal_) << text << "\n";
    EXPECT_EQ(has_old_records(journal_), is_old) << text;
  }
}

TEST(MigratedSummary, HasTodaysNames) {
  const ordered_json old = ordered_json::parse(R"({
    "config": {"ceilings_from": "card", "peers": {"peers": {"mummer": {}}}, "probes": {"neighbour_transfer": {
      "neighbour": "others", "direction": ["to_neighbour", "both"]}}},
    "invocation": {"overrides": ["ceilings_from=\"card\"", "seed=2"]},
    "cards": {"cpu": {"stands": "card"}}, "knees": [1], "levels": {"cpu": [{"kind": "translation", "name": "translation"}]},
    "probe_points": {"cpu": {"disturbed": ["neighbour_access/cuda//neighbour=1/cuda:0"]}},
    "tuned": [{"fraction_of_ceiling": 0.5}], "neighbours": {}})");
  EXPECT_EQ(migrated_summary(old), ordered_json::parse(R"({
    "config": {"bounds_from": "profile", "tools": {"tools": {"mummer": {}}}, "probes": {"peer_transfer": {
      "peer": "others", "direction": ["to_peer", "both"]}}},
    "invocation": {"overrides": ["bounds_from=\"profile\"", "seed=2"]},
    "profiles": {"cpu": {"stands": "profile"}}, "levels": {"cpu": [{"kind": "tlb", "name": "TLB"}]},
    "probe_points": {"cpu": {"disturbed": ["peer_access/cuda//peer=1/cuda:0"]}},
    "tuned": [{"fraction_of_bound": 0.5}], "peers": {}})"));
}

}  // namespace
}  // namespace gpuseq::results
