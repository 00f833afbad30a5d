#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/profile/caches/associativity.hpp"
#include "bench/profile/caches/l2_sides.hpp"
#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/profile/profile_records.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

json cache(json ways, double served_ns, double missed_ns, const char* reason = "") {
  return {{"ways", std::move(ways)}, {"served_ns", served_ns}, {"missed_ns", missed_ns}, {"reason", reason}};
}

results::Record look(json caches) {
  results::Record record =
      probed("associativity", {{"stride_bytes", std::int64_t{4096}}}, {1e5, "accesses"}, 1e-3);
  record.state.variant = record.state.device = "cpu";
  record.facts = json{{"caches", std::move(caches)}};
  return record;
}

const json kZen{{"name", "a CPU"},
                {"caches",
                 {{{"level", 1}, {"bytes", 32768}, {"ways", 8}},
                  {{"level", 2}, {"bytes", 524288}, {"ways", nullptr}},
                  {{"level", 3}, {"bytes", 33554432}, {"ways", 16}}}}};

ordered_json profile_of(const std::vector<results::Record>& more) {
  std::vector<results::Record> records = h100().records;
  records.insert(records.end(), more.begin(), more.end());
  json summary = h100().summary;
  summary["devices"]["cpu"] = kZen;
  return machine_profile(summary, records);
}

void expect_profile_can_be_read(const ordered_json& profile) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
}

TEST(MachineProfile, HasWaysThatLooksAgreeOnBesideThoseThatAreStated) {
  const ordered_json profile =
      profile_of({look({cache(8, 1.3, 4.6), cache(8, 6.2, 11)}),
                  look({cache(8, 1.2, 4.7), cache(nullptr, 6.1, 0, "640 lines are all held")}),
                  look({cache(7, 1.4, 4.6), cache(8, 6.3, 12)})});
  const ordered_json& rows = profile["devices"]["cpu"]["associativity"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["name"], "L1");
  EXPECT_EQ(rows[0]["ways"], 8);
  EXPECT_EQ(rows[0]["stated_ways"], 8);
  EXPECT_EQ(rows[0]["served_ns"], 1.2);
  EXPECT_EQ(rows[1]["ways"], 8);
  EXPECT_TRUE(rows[1]["stated_ways"].is_null());
  EXPECT_EQ(rows[1]["looks"], 3);
  EXPECT_EQ(rows[1]["looks_that_say"], 2);
  EXPECT_EQ(rows[1]["missed_ns"], 11);
  EXPECT_EQ(rows[2]["name"], "L3");
  EXPECT_TRUE(rows[2]["ways"].is_null());
  EXPECT_EQ(rows[2]["stated_ways"], 16);
  expect_text(rows_of(profile, "associativity"));
  expect_profile_can_be_read(profile);
}

TEST(MachineProfile, SaysWhyWaysDoNotShow) {
  const ordered_json profile =
      profile_of({look({cache(nullptr, 1.3, 0, "2 lines are all held"), cache(8, 6.2, 11)})});
  expect_text(rows_of(profile, "associativity"));
  expect_profile_can_be_read(profile);
}

/// Records may come from anywhere.
TEST(MachineProfile, TakesNoWaysFromFactsThatHaveNone) {
  EXPECT_TRUE(associativity_json({}, kZen).is_null());
  for (const json& facts :
       {json(nullptr), json::object(), json{{"caches", 3}}, json{{"caches", {1, "x", nullptr}}},
        json{{"caches", {{{"ways", "8"}, {"served_ns", "1"}, {"reason", 3}}}}}}) {
    results::Record record = look({});
    record.facts = facts;
    const std::vector<const results::Record*> records{&record};
    const ordered_json rows = associativity_json(records, json::object());
    for (const ordered_json& row : rows) EXPECT_TRUE(row["ways"].is_null());
  }
}

results::Record sides(const char* operation, json facts) {
  results::Record record =
      probed("l2_sides", {{"operation", std::string(operation)}}, {1e6, "accesses"}, 0.04);
  record.facts = std::move(facts);
  return record;
}

json seen(double middle, json more) {
  json facts{
      {"multiprocessors", 4}, {"lines", 128},    {"quantiles_clocks", {200, 220, 240, middle, 300, 320, 900}},
      {"ns_per_clock", 0.5},  {"on_side", 0.97}, {"reason", ""}};
  facts.update(more);
  return facts;
}

TEST(MachineProfile, HasTheSidesOfTheL2ByOperation) {
  const json two{
      {"near_clocks", 280}, {"far_clocks", 500}, {"near_share", 0.51}, {"groups", {{0, 1, 3}, {2}}}};
  const ordered_json profile = profile_of({sides("load", seen(262, {{"reason", "one mode: none"}})),
                                           sides("atomic", seen(400, two)), sides("atomic", seen(390, two))});
  const ordered_json& rows = profile["devices"]["cuda:0"]["l2_sides"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0]["near_clocks"].is_null());
  EXPECT_TRUE(rows[0]["groups"].is_null());
  EXPECT_EQ(rows[0]["reason"], "one mode: none");
  EXPECT_EQ(rows[1]["near_ns"], 140);
  EXPECT_EQ(rows[1]["far_ns"], 250);
  EXPECT_EQ(rows[1]["quantiles_clocks"][3], 390) << "of passes the least disturbed";
  EXPECT_EQ(rows[1]["groups"], (ordered_json{{0, 1, 3}, {2}}));
  expect_text(rows_of(profile, "l2_sides"));
  expect_profile_can_be_read(profile);
}

TEST(MachineProfile, TakesNoSidesFromFactsThatHaveNone) {
  for (const json& facts :
       {json(nullptr), json::object(), json{{"quantiles_clocks", {1, 2}}, {"ns_per_clock", 0.5}},
        json{{"quantiles_clocks", "many"}, {"ns_per_clock", 0.5}}}) {
    results::Record record = sides("load", facts);
    const std::vector<const results::Record*> records{&record};
    EXPECT_TRUE(l2_sides_json(records).is_null());
  }
}

}  // namespace
}  // namespace gpuseq::bench
