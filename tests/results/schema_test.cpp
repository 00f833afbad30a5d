// GCC 12 sees an overlap in valijson's string replacement that is not there (its bug 105651), and under the
// sanitizers uninitialised values in std::regex (its bug 105562).
#pragma GCC diagnostic ignored "-Wrestrict"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <gtest/gtest.h>

#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "results/record_schema.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::json;

bool satisfies_schema(const json& record) {
  const json text = json::parse(record_schema());
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::Validator validator;
  return validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(record), nullptr);
}

json changed(const Record& record, const std::string& pointer, const json& value) {
  json document = to_json(record);
  document[json::json_pointer(pointer)] = value;
  return document;
}

TEST(RecordSchema, AcceptsEveryRecordThatTheProgramWrites) {
  EXPECT_TRUE(satisfies_schema(to_json(full_record())));
  EXPECT_TRUE(satisfies_schema(to_json(failed_record())));
  EXPECT_TRUE(satisfies_schema(to_json([] {
    Record unmeasured = full_record();
    unmeasured.energy = {};
    return unmeasured;
  }())));
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const json record = to_json(random_record(random));
    EXPECT_TRUE(satisfies_schema(record)) << record["state"];
  }
}

TEST(RecordSchema, RefusesARecordWithoutOneOfItsFieldsButThoseThatOldRecordsLack) {
  const json whole = to_json(full_record());
  for (const auto& [name, value] : whole.items()) {
    json record = whole;
    record.erase(name);
    const std::set<std::string> later{
        "instructions", "problem_label",        "memory", "size", "fills_device",
        "took_s",       "discarded_neighbours", "witness"};
    EXPECT_EQ(satisfies_schema(record), later.contains(name)) << name;
  }
}

TEST(RecordSchema, WantsOfACeilingThatStandsOnACardWhichOne) {
  Record record = full_record();
  EXPECT_TRUE(satisfies_schema(changed(record, "/ceiling/source", "run")));
  record.ceiling.value->card = {"0123456789abcdef", "2026-11-24T20:00:00Z"};
  EXPECT_TRUE(satisfies_schema(to_json(record)));
  EXPECT_FALSE(satisfies_schema(changed(record, "/ceiling/source", "run")));
  EXPECT_FALSE(satisfies_schema(changed(record, "/ceiling/source", "guess")));
  EXPECT_FALSE(satisfies_schema(changed(record, "/ceiling/card/key", "mine")));
}

TEST(RecordSchema, AcceptsTrafficWithoutClassesAsOldRecordsHaveIt) {
  json record = to_json(full_record());
  record["traffic"].erase("classes");
  EXPECT_TRUE(satisfies_schema(record));
}

TEST(RecordSchema, RefusesValuesOfTheWrongKind) {
  for (const auto& [pointer, value] :
       std::vector<std::pair<std::string, json>>{{"/schema_version", kSchemaVersion + 1},
                                                 {"/device", "gpu"},
                                                 {"/status", "fine"},
                                                 {"/samples_s/0", "fast"},
                                                 {"/samples_s/0", nullptr},
                                                 {"/point/k", 1.5},
                                                 {"/work/amount", -1},
                                                 {"/statistics/median_s", 0},
                                                 {"/statistics/extra", 1},
                                                 {"/resources/blocks", 1.5},
                                                 {"/memory/bytes", -1},
                                                 {"/memory/parts/index", "large"},
                                                 {"/memory/device", "cpu"},
                                                 {"/discarded_neighbours", -1},
                                                 {"/witness/threads", 0},
                                                 {"/witness/best_s", 0},
                                                 {"/witness/slowdown", 0.9},
                                                 {"/witness", nullptr},
                                                 {"/problem_hash", "xyz"},
                                                 {"/unknown_field", 1},
                                                 {"/counters/dram", nullptr},
                                                 {"/traffic/access", "other"},
                                                 {"/traffic/classes/0/footprint_bytes", 0},
                                                 {"/traffic/classes/1/blocks", -1},
                                                 {"/traffic/classes/1/share", 1},
                                                 {"/traffic/classes", nullptr},
                                                 {"/instructions/operations/prmt", -1},
                                                 {"/instructions/target", 512},
                                                 {"/side_samples_s/upload", 1}})
    EXPECT_FALSE(satisfies_schema(changed(full_record(), pointer, value))) << pointer;
}

TEST(RecordSchema, WantsAReasonBesideEveryNullAndAFailureBesideEveryStatusButOk) {
  for (const char* name : {"/counters", "/energy", "/ceiling", "/memory"})
    EXPECT_FALSE(satisfies_schema(changed(full_record(), name, nullptr))) << name;
  EXPECT_FALSE(satisfies_schema(changed(failed_record(), "/failure", nullptr)));
  EXPECT_FALSE(satisfies_schema(changed(failed_record(), "/status", "ok")));
  EXPECT_FALSE(satisfies_schema(changed(full_record(), "/status", "skipped")));
}

}  // namespace
}  // namespace gpuseq::results
