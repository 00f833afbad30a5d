#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/profile/machine_profile.hpp"
#include "bench/profile/numa.hpp"
#include "bench/profile/page_sizes.hpp"
#include "bench/profile/profile_file.hpp"
#include "tests/bench/profile/profile_records.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// The memory of a CPU's profile: kinds of pages, and NUMA nodes.

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

const CommittedRun& zen5() {
  static const CommittedRun run("zen5-machine");
  return run;
}

results::Record of_cpu(const std::string& family, Point point, double ns) {
  results::Record record = zen5().records.front();
  record.kind = "probe";
  record.status = results::Status::ok;
  record.state = {
      .family = family, .variant = "cpu", .problem = {}, .point = std::move(point), .device = "cpu"};
  record.samples_s = std::vector<double>(6, 1e5 * ns * 1e-9);
  record.work = {1e5, "accesses"};
  record.statistics = results::summarise(record.samples_s, record.work, results::kConfidence, "");
  record.facts = nlohmann::json::object();
  return record;
}

void skip(results::Record& record, const std::string& reason) {
  record.status = results::Status::skipped;
  record.failure = results::Failure{.kind = "resources", .reason = reason};
}

/// Latencies of a machine whose translations reach 8 MiB on pages of 4 KiB.
std::vector<results::Record> with_pages() {
  std::vector<results::Record> records = zen5().records;
  std::erase_if(records, [](const results::Record& record) { return record.state.family == "latency"; });
  for (int octave = 16; octave <= 28; ++octave)
    for (const char* pages : {"huge", "small"})
      records.push_back(of_cpu(
          "latency", {{"footprint_bytes", std::int64_t{1} << octave}, {"stride_bytes", 64}, {"pages", pages}},
          octave > 23 && pages == std::string("small") ? 150 : 100));
  records.push_back(
      of_cpu("latency", {{"footprint_bytes", 65536}, {"stride_bytes", 64}, {"pages", "explicit"}}, 1));
  skip(records.back(), "none are set aside");
  return records;
}

const ordered_json& cpu_of(const ordered_json& profile) {
  return profile["devices"]["cpu"];
}

TEST(MachineProfile, SaysHowFarTranslationReachesOnEachKindOfPage) {
  const ordered_json profile = machine_profile(zen5().summary, with_pages());
  const ordered_json& rows = cpu_of(profile)["tlb"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["pages"], "small");
  EXPECT_EQ(rows[0]["page_bytes"], 4096);
  EXPECT_EQ(rows[0]["served_bytes"], 8 << 20);
  EXPECT_EQ(rows[0]["exceeded_bytes"], 16 << 20);
  EXPECT_TRUE(rows[1]["served_bytes"].is_null());
  EXPECT_EQ(rows[2]["reason"], "none are set aside");
  expect_text(rows_of(profile, "tlb"));
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
}

TEST(MachineProfile, FindsItsLevelsWithoutCurvesOnOtherPages) {
  std::vector<results::Record> records = with_pages();
  const ordered_json with = machine_profile(zen5().summary, records);
  std::erase_if(records, [](const results::Record& record) {
    return record.state.point.has("pages") && record.state.point.word("pages") != "huge";
  });
  const ordered_json without = machine_profile(zen5().summary, records);
  EXPECT_EQ(cpu_of(with)["levels"], cpu_of(without)["levels"]);
  EXPECT_FALSE(cpu_of(without).contains("tlb"));
}

std::vector<results::Record> with_nodes() {
  std::vector<results::Record> records = zen5().records;
  const auto add = [&](std::int64_t node, std::int64_t memory, std::int64_t threads, double ns, double load) {
    records.push_back(of_cpu("numa_latency",
                             {{"footprint_bytes", std::int64_t{1} << 28},
                              {"threads", threads},
                              {"operation", "read"},
                              {"node", node},
                              {"memory_node", memory}},
                             ns));
    records.back().facts = nlohmann::json{{"load_bytes_per_s", load}};
  };
  add(0, 0, 1, 95, 0);
  add(0, 0, 1, 90, 0);  // a second pass
  add(0, 0, 0, 200, 4e10);
  add(0, 1, 1, 140, 0);
  return records;
}

TEST(MachineProfile, HasWhatAnAccessToEachNodeTakesAtRestAndUnderLoad) {
  const ordered_json profile = machine_profile(zen5().summary, with_nodes());
  const ordered_json& numa = cpu_of(profile)["numa"];
  ASSERT_EQ(numa["accesses"].size(), 3u);
  EXPECT_NEAR(numa["accesses"][0]["latency_ns"].get<double>(), 90, 1e-6);
  EXPECT_TRUE(numa["accesses"][0]["operation"].is_null());
  EXPECT_EQ(numa["accesses"][1]["operation"], "read");
  EXPECT_EQ(numa["accesses"][2]["memory_node"], 1);
  expect_text(rows_of(profile, "numa"));
  EXPECT_EQ(cpu_of(profile)["curves"].size(),
            cpu_of(machine_profile(zen5().summary, zen5().records))["curves"].size());
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
}

TEST(MachineProfile, OfAMachineWithOneNodeHasNoneForItsReason) {
  std::vector<results::Record> records = with_nodes();
  for (results::Record& record : records)
    if (record.state.family == "numa_latency") skip(record, "this machine has one NUMA node");
  const ordered_json profile = machine_profile(zen5().summary, records);
  EXPECT_TRUE(cpu_of(profile)["numa"]["accesses"].is_null());
  expect_text(rows_of(profile, "numa"));
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
  EXPECT_FALSE(cpu_of(machine_profile(zen5().summary, zen5().records)).contains("numa"));
}

}  // namespace
}  // namespace gpuseq::bench
