#include "results/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void expect_round_trip(const Record& record) {
  const auto json = to_json(record);
  const Record read = record_from_json(nlohmann::json::parse(json.dump()));
  EXPECT_EQ(to_json(read).dump(), json.dump());
  EXPECT_EQ(read.state.problem, record.state.problem);
  EXPECT_EQ(read.state.point, record.state.point);
  EXPECT_EQ(read.samples_s, record.samples_s);
  EXPECT_EQ(read.facts, record.facts);
}

nlohmann::json changed(const std::string& pointer, const nlohmann::json& value) {
  nlohmann::json json = to_json(full_record());
  json[nlohmann::json::json_pointer(pointer)] = value;
  return json;
}

TEST(Record, ReadsBackExactlyWhatItWrote) {
  expect_round_trip(full_record());
  expect_round_trip(failed_record());
  Random random(1);
  for (int i = 0; i < 300; ++i) expect_round_trip(random_record(random));
}

TEST(Record, NeedsNoReferenceLoop) {
  auto json = to_json(full_record());
  EXPECT_EQ(record_from_json(json).discarded_interference, 2);
  EXPECT_EQ(record_from_json(json).reference_loop->slowdown, 1.0625);
  json.erase("discarded_disturbed");
  json.erase("reference_loop");
  const Record old = record_from_json(json);
  EXPECT_EQ(old.discarded_interference, 0);
  EXPECT_FALSE(old.reference_loop);
  EXPECT_EQ(to_json(old), json) << "is written as it was";
}

TEST(Record, RefusesAReferenceLoopThatIsFasterThanItsBest) {
  expect_error_text([] { record_from_json(changed("/reference_loop/slowdown", 0.5)); });
}

TEST(Record, RefusesMemoryThatIsNotTheSumOfItsParts) {
  expect_error_text([] { record_from_json(changed("/memory/bytes", 7)); });
}

TEST(Record, RefusesAPartOfAnInterval) {
  for (const char* name : {"low_s", "high_s", "confidence", "rate_low", "rate_high"})
    expect_error_text([&] { record_from_json(changed(std::string("/statistics/") + name, nullptr)); });
}

TEST(Record, HasClassesOfTrafficOnlyWhereBlocksAreNotSpreadEvenly) {
  Record record = full_record();
  const std::vector<TrafficClass> classes{{1 << 20, 8e7}, {1 << 30, 8.3e6}};
  EXPECT_EQ(record_from_json(to_json(record)).traffic->classes, classes);
  EXPECT_EQ(to_json(record)["traffic"]["classes"][1]["footprint_bytes"], 1 << 30);
  record.traffic->classes.clear();
  EXPECT_FALSE(to_json(record)["traffic"].contains("classes"));
  EXPECT_TRUE(record_from_json(to_json(record)).traffic->classes.empty());
}

TEST(Record, SaysOfItsBoundWhichProfileItStandsOnOrThatItIsOfTheRun) {
  Record record = full_record();
  EXPECT_EQ(to_json(record)["bound"]["source"], "run");
  EXPECT_FALSE(to_json(record)["bound"].contains("profile"));
  record.bound.value->profile = {"0123456789abcdef", "2026-11-24T20:00:00Z"};
  EXPECT_EQ(to_json(record)["bound"]["source"], "profile");
  EXPECT_EQ(record_from_json(to_json(record)).bound.value->profile->key, "0123456789abcdef");
  expect_round_trip(record);
}

TEST(Record, KeepsTheOrderOfAxesThoughJsonObjectsAreSortedByName) {
  const Record read = record_from_json(nlohmann::json::parse(nlohmann::json(to_json(full_record())).dump()));
  EXPECT_EQ(read.state.to_string(),
            "fm_index/full_cooperative/reference=ecoli,queries=1000/k=2,d=64,counters=alternate/cuda:0");
}

TEST(Record, KeepsAnAxisThatBothPointsHaveInEachPointsOwnOrder) {
  Record record = full_record();
  record.state.problem = {{"b", std::int64_t{1}}, {"a", std::int64_t{2}}};
  record.state.point = {{"c", std::int64_t{3}}, {"a", std::int64_t{4}}, {"b", std::int64_t{5}}};
  expect_round_trip(record);
}

TEST(Record, WritesNullBesideAReasonForWhatCannotBeHad) {
  const auto json = to_json(failed_record());
  EXPECT_TRUE(json["counters"].is_null());
  EXPECT_EQ(json["counters_reason"], "no permission");
  EXPECT_TRUE(json["statistics"].is_null());
  EXPECT_FALSE(to_json(full_record()).contains("counters_reason"));
}

TEST(Record, NamesThePointerOfAFieldThatIsMissingOrOfTheWrongType) {
  nlohmann::json missing = to_json(full_record());
  missing["statistics"].erase("median_s");
  expect_error_text([&] { record_from_json(missing); });
  expect_error_text([&] { record_from_json(changed("/samples_s/1", "fast")); });
  expect_error_text([&] { record_from_json(changed("/repetition", 1.5)); });
  expect_error_text([&] { record_from_json(changed("/repetition", 3e9)); });
  expect_error_text([&] { record_from_json(changed("/traffic/block_bytes", -1)); });
  expect_error_text([&] { record_from_json(changed("/traffic/classes/1/blocks", "many")); });
  expect_error_text([&] { record_from_json(changed("/traffic/classes", 3)); });
  expect_error_text([&] { record_from_json(changed("/instructions/operations/prmt", "many")); });
  expect_error_text([&] { record_from_json(changed("/instructions", nlohmann::json::object())); });
  expect_error_text([&] { record_from_json(changed("/status", "fine")); });
  expect_error_text([&] { record_from_json(changed("/point", nlohmann::json::array())); });
  expect_error_text([&] { record_from_json(changed("/counters", nullptr)); });
  EXPECT_THROW(record_from_json(nlohmann::json::array()), UsageError);
}

TEST(Record, RefusesAnotherSchemaAndNamesTheRemedy) {
  expect_error_text([&] { record_from_json(changed("/schema_version", kSchemaVersion + 1)); });
  expect_error_text([&] { record_from_json(changed("/schema_version", kSchemaVersion - 1)); });
}

TEST(Record, RefusesAKeyThatItsFieldsContradict) {
  expect_error_text([&] { record_from_json(changed("/device", "cpu")); });
}

TEST(Record, RefusesDurationsThatNoLaunchTakes) {
  for (const double seconds : {0.0, -1.0, 5e-324, 1e-300, 1e300}) {
    expect_error_text([&] { record_from_json(changed("/samples_s/1", seconds)); });
    expect_error_text([&] { record_from_json(changed("/statistics/median_s", seconds)); });
  }
}

TEST(Record, NoFieldOfAnotherTypeIsTheLibrarysError) {
  const nlohmann::json whole = to_json(full_record());
  const nlohmann::json flat = whole.flatten();
  for (const auto& [pointer, unused] : flat.items())
    for (const nlohmann::json& value :
         {nlohmann::json(nullptr), nlohmann::json(-1), nlohmann::json("word"), nlohmann::json(1e300),
          nlohmann::json(UINT64_MAX), nlohmann::json::array(), nlohmann::json::object(),
          nlohmann::json(true)}) {
      nlohmann::json odd = whole;
      odd[nlohmann::json::json_pointer(pointer)] = value;
      try {
        record_from_json(odd);  // some are allowed
      } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), Not(HasSubstr("json.exception"))) << pointer;
        EXPECT_THAT(error.what(), StartsWith("/")) << pointer;
      }
    }
}

TEST(Record, RefusesToWriteANumberThatJsonCannotHold) {
  Record record = full_record();
  record.facts["ratio"] = std::numeric_limits<double>::quiet_NaN();
  expect_error_text<std::invalid_argument>([&] { to_json(record); });
}

}  // namespace
}  // namespace gpuseq::results
