// GCC 12 sees an overlap in valijson's string replacement that is not there (its bug 105651), and under the
// sanitizers uninitialised values in std::regex (its bug 105562).
#pragma GCC diagnostic ignored "-Wrestrict"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "results/reading/provenances.hpp"
#include "results/record_head.hpp"
#include "results/record_schema.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::json;

const json& schema_text() {
  static const json text = json::parse(record_schema());
  return text;
}

bool satisfies_schema(const json& record) {
  static const auto schema = [] {
    auto made = std::make_unique<valijson::Schema>();
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_text()), *made);
    return made;
  }();
  valijson::Validator validator;
  return validator.validate(*schema, valijson::adapters::NlohmannJsonAdapter(record), nullptr);
}

bool is_read(const json& record) {
  try {
    record_from_json(record);
    return true;
  } catch (const UsageError&) {
    return false;
  }
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

TEST(RecordSchema, RefusesARecordWithoutOneOfItsRequiredFields) {
  const json whole = to_json(full_record());
  for (const auto& [name, value] : whole.items()) {
    json record = whole;
    record.erase(name);
    const std::set<std::string> optional{"problem_label",       "size",           "fills_device", "took_s",
                                         "discarded_disturbed", "reference_loop", "date"};
    EXPECT_EQ(satisfies_schema(record), optional.contains(name)) << name;
  }
}

TEST(RecordSchema, WantsOfABoundThatStandsOnAProfileWhichOne) {
  Record record = full_record();
  EXPECT_TRUE(satisfies_schema(changed(record, "/bound/source", "run")));
  record.bound.value->profile = {"0123456789abcdef", "2026-11-24T20:00:00Z"};
  EXPECT_TRUE(satisfies_schema(to_json(record)));
  EXPECT_FALSE(satisfies_schema(changed(record, "/bound/source", "run")));
  EXPECT_FALSE(satisfies_schema(changed(record, "/bound/source", "guess")));
  EXPECT_FALSE(satisfies_schema(changed(record, "/bound/profile/key", "mine")));
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
                                                 {"/discarded_disturbed", -1},
                                                 {"/reference_loop/threads", 0},
                                                 {"/reference_loop/best_s", 0},
                                                 {"/reference_loop/slowdown", 0.9},
                                                 {"/reference_loop", nullptr},
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
  for (const char* name : {"/counters", "/energy", "/bound", "/memory"})
    EXPECT_FALSE(satisfies_schema(changed(full_record(), name, nullptr))) << name;
  EXPECT_FALSE(satisfies_schema(changed(failed_record(), "/failure", nullptr)));
  EXPECT_FALSE(satisfies_schema(changed(failed_record(), "/status", "ok")));
  EXPECT_FALSE(satisfies_schema(changed(full_record(), "/status", "skipped")));
}

/// Records that together have every field of the schema.
std::vector<json> whole_records() {
  Record full = full_record(), failed = failed_record();
  full.traffic->classes[0].spread_bytes = 1 << 21;
  full.traffic->in_flight = 4;
  full.instructions->by_device = {{"cpu", {{"add_u8", 4}}, "avx2"}};
  full.bound.value->profile = {"0123456789abcdef", "2026-11-24T20:00:00Z"};
  full.date = "2026-11-20T21:26:08Z";
  without_interval(*(failed.statistics = full.statistics));
  return {to_json(full), to_json(failed)};
}

/// Calls `take` with the JSON pointer of every field that a schema describes.
void walk_schema(const json& schema, const std::string& at,
                 const std::function<void(const std::string&)>& take) {
  if (schema.contains("$ref"))
    return walk_schema(schema_text()[json::json_pointer(schema["$ref"].get<std::string>().substr(1))], at,
                       take);
  if (schema.contains("properties"))
    for (const auto& [name, field] : schema["properties"].items()) {
      take(at + "/" + name);
      walk_schema(field, at + "/" + name, take);
    }
  if (schema.contains("items")) walk_schema(schema["items"], at + "/0", take);
}

TEST(RecordSchema, ReaderRefusesWhateverTheSchemaRefuses) {
  const std::vector<json> records = whole_records();
  const std::vector<json> values{nullptr,
                                 true,
                                 "x",
                                 "",
                                 -1,
                                 0,
                                 1,
                                 2,
                                 1.5,
                                 -0.5,
                                 1e-15,
                                 1e10,
                                 3000000000u,
                                 json::array(),
                                 json::array({-1}),
                                 json::array({"x"}),
                                 json::object(),
                                 {{"x", -1}},
                                 {{"x", "y"}}};
  int refused = 0;
  const auto compare = [&](const json& changed, const std::string& what) {
    if (satisfies_schema(changed)) return;
    ++refused;
    EXPECT_FALSE(is_read(changed)) << what;
  };
  for (const json& record : records) {
    ASSERT_TRUE(satisfies_schema(record));
    ASSERT_TRUE(is_read(record));
    json unknown = record;
    unknown["unknown"] = 1;
    compare(unknown, "/unknown");
  }
  walk_schema(schema_text()["definitions"]["record"], "", [&](const std::string& pointer) {
    const json::json_pointer place(pointer);
    bool found = false;
    for (const json& record : records) {
      if (!record.contains(place)) continue;
      found = true;
      json changed = record;
      for (const json& value : values) {
        changed[place] = value;
        compare(changed, pointer + " = " + value.dump());
      }
      changed = record;
      changed[place.parent_pointer()].erase(place.back());
      compare(changed, "without " + pointer);
      if (!record[place].is_object()) continue;
      changed = record;
      changed[place]["unknown"] = 1;
      compare(changed, pointer + "/unknown");
    }
    EXPECT_TRUE(found) << pointer << " is in no example";
  });
  EXPECT_GT(refused, 1000);
}

TEST(RecordSchema, ProvenanceLinesAreReadAsItDescribesThem) {
  const json whole{
      {"provenance_id", "0123456789abcdef"},
      {"provenance",
       {{"host", {{"available_cpus", 2}}}, {"device", {{"threads", 2}}}, {"program", json::object()}}}};
  EXPECT_TRUE(satisfies_schema(whole));
  EXPECT_TRUE(Provenances().take(whole.dump()));
  EXPECT_TRUE(satisfies_schema(provenance_line(full_record().provenance)));
  const std::vector<std::pair<std::string, json>> wrong{{"/provenance_id", "xyz"},
                                                        {"/provenance_id", nullptr},
                                                        {"/provenance", nullptr},
                                                        {"/provenance", "text"},
                                                        {"/provenance/host", nullptr},
                                                        {"/provenance/device", "x"},
                                                        {"/provenance/program", json::array()},
                                                        {"/provenance/host/available_cpus", nullptr},
                                                        {"/provenance/device/threads", 1.5},
                                                        {"/more", 1}};
  for (const auto& [pointer, value] : wrong) {
    json line{{"provenance_id", whole["provenance_id"]}, {"provenance", whole["provenance"]}};
    line[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(satisfies_schema(line)) << pointer;
    EXPECT_THROW(Provenances().take(line.dump()), UsageError) << pointer;
  }
}

TEST(RecordSchema, HeadsAreHeldToTheSameWords) {
  for (const auto& [pointer, value] : std::vector<std::pair<std::string, json>>{
           {"/phase", "x"}, {"/kind", "x"}, {"/status", "x"}, {"/repetition", -1}}) {
    const json record = changed(full_record(), pointer, value);
    EXPECT_FALSE(is_read(record)) << pointer;
    EXPECT_THROW(read_head(record.dump(), ReadLine::whole), UsageError) << pointer;
  }
}

}  // namespace
}  // namespace gpuseq::results
