#include "bench/profile/machine_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "bench/profile/profile_file.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/profile/profile_records.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(MachineProfile, HasEveryDeviceThatWasProbedWithWhatItStates) {
  const ordered_json profile = machine_profile(h100().summary, h100().records);
  EXPECT_EQ(profile["schema_version"], kProfileSchemaVersion);
  EXPECT_EQ(profile["name"], h100().summary["name"]);
  ASSERT_TRUE(profile["devices"].contains("cuda:0"));
  const ordered_json& device = profile["devices"]["cuda:0"];
  EXPECT_EQ(device["name"], "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(device["stated"]["multiprocessors"], 132);
}

TEST(MachineProfile, HasTheFastestPassOfEachInstructionWithItsPipe) {
  const ordered_json profile = machine_profile(h100().summary, h100().records);
  const ordered_json& rows = profile["devices"]["cuda:0"]["instructions"];
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

TEST(MachineProfile, HasThePointsOfEveryCurve) {
  const ordered_json profile = machine_profile(h100().summary, h100().records);
  double largest = 0, latency = 0;
  for (const ordered_json& curve : profile["devices"]["cuda:0"]["curves"])
    if (curve["probe"] == "latency")
      for (const ordered_json& point : curve["points"]) {
        largest = std::max(largest, point["footprint_bytes"].get<double>());
        latency = std::max(latency, point["median"].get<double>());
      }
  EXPECT_GT(largest, 1 << 20);
  EXPECT_GT(latency, 100);  // nanoseconds, beyond the L1
  EXPECT_LT(latency, 2000);
}

TEST(MachineProfile, SaysHowQuietTheMachineWas) {
  std::vector<results::Record> records = h100().records;
  EXPECT_EQ(machine_profile(h100().summary, records)["devices"]["cuda:0"]["quiet"]["verdict"], "quiet");
  for (results::Record& record : records)
    if (record.statistics) {
      record.statistics->rate_low = 0.5 * record.statistics->rate;
      record.statistics->rate_high = 1.5 * record.statistics->rate;
    }
  const ordered_json noisy = machine_profile(h100().summary, records)["devices"]["cuda:0"]["quiet"];
  EXPECT_EQ(noisy["verdict"], "very noisy");
  EXPECT_DOUBLE_EQ(noisy["spread"].get<double>(), 1);
}

TEST(MachineProfile, CountsTheSamplesThatNeighboursDisturbed) {
  std::vector<results::Record> records = h100().records;
  const std::string undisturbed = profile_text(machine_profile(h100().summary, records));
  const auto probe = std::ranges::find_if(records, [](const results::Record& record) {
    return record.kind == "probe" && record.state.device == "cuda:0" && record.statistics;
  });
  ASSERT_NE(probe, records.end());
  probe->discarded_interference = 7;
  const ordered_json profile = machine_profile(h100().summary, records);
  EXPECT_EQ(profile["devices"]["cuda:0"]["quiet"]["discarded_disturbed"], 7);
  expect_text(testing::lines_beyond(profile_text(profile), undisturbed));
}

TEST(MachineProfile, OfAMachineThatOthersUsedIsNotQuiet) {
  nlohmann::json summary = h100().summary;
  const auto quiet = [&] { return machine_profile(summary, h100().records)["devices"]["cuda:0"]["quiet"]; };
  EXPECT_TRUE(quiet()["others_share"].is_null());  // of a run that does not say
  summary["host_load"] = {{"steal_share", 0.001}, {"others_share", 0.01}};
  EXPECT_EQ(quiet()["verdict"], "quiet");
  summary["host_load"]["others_share"] = 0.1;
  EXPECT_EQ(quiet()["verdict"], "noisy");
  expect_text(rows_of(machine_profile(summary, h100().records), "quiet"));
  summary["host_load"] = {{"steal_share", 0.3}, {"others_share", 0}};
  EXPECT_EQ(quiet()["verdict"], "very noisy");
  for (const nlohmann::json& other :
       {nlohmann::json("x"), nlohmann::json(3), nlohmann::json{{"steal_share", "x"}}}) {
    summary["host_load"] = other;
    EXPECT_EQ(quiet()["verdict"], "quiet") << other;
  }
}

TEST(MachineProfile, HasTheLatencyUnderEachLoadFromRestOn) {
  std::vector<results::Record> records = h100().records;
  const auto add = [&](std::int64_t blocks, std::int64_t pause_ns, double load, double ns) {
    records.push_back(probed("loaded_latency",
                             {{"blocks_per_sm", blocks}, {"operation", "read"}, {"pause_ns", pause_ns}},
                             {1e5, "accesses"}, 1e5 * ns * 1e-9));
    records.back().facts["load_bytes_per_s"] = load;
  };
  add(4, 0, 2e10, 310);
  add(4, 0, 2.1e10, 300);  // a second pass
  add(4, 1000, 5e9, 120);
  add(0, 0, 0, 95);
  const ordered_json profile = machine_profile(h100().summary, records);
  const ordered_json& rows = profile["devices"]["cuda:0"]["loaded_latency"];
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& [row, ns] : {std::pair(0, 95), std::pair(1, 120), std::pair(2, 300)})
    EXPECT_NEAR(rows[static_cast<std::size_t>(row)]["latency_ns"].get<double>(), ns, 1e-6);
  expect_text(rows_of(profile, "loaded_latency"));
}

TEST(MachineProfile, OfAnH200HasWhatItsL2AndItsMemoryFetch) {
  const CommittedRun run("h200");
  ordered_json profile = machine_profile(run.summary, run.records);
  const ordered_json device = profile["devices"]["cuda:0"];
  const auto at = [&](double footprint) -> const ordered_json& {
    const auto found = std::ranges::find(device["fetch"], footprint, [](const ordered_json& row) {
      return row["footprint_bytes"].get<double>();
    });
    return found == device["fetch"].end() ? device["fetch"].front() : *found;
  };
  EXPECT_EQ(at(1 << 24)["fetch_bytes"], 32);  // a sector
  EXPECT_EQ(at(1 << 30)["fetch_bytes"], 64);  // two sectors
  EXPECT_FALSE(at(1 << 30)["at_least"].get<bool>());
  const std::string text = profile_text(profile);
  profile["devices"]["cuda:0"]["fetch"] = ordered_json::array();
  expect_text(testing::lines_beyond(text, profile_text(profile)));
}

TEST(MachineProfile, SaysWhoSharesEachCacheThatIsStated) {
  const CommittedRun run("zen5-machine");
  const ordered_json levels = machine_profile(run.summary, run.records)["devices"]["cpu"]["levels"];
  ASSERT_FALSE(levels.empty());
  for (const ordered_json& level : levels) {
    ASSERT_TRUE(level.contains("shared_by")) << level.dump();
    const bool stated = !level["stated_bytes"].is_null();
    EXPECT_EQ(level["shared_by"].is_null(), !stated) << level.dump();
    if (stated) {
      EXPECT_EQ(level["shared_by"]["cores"], level["name"] == "L3" ? 2 : 1) << level.dump();
    }
  }
}

TEST(MachineProfile, HasAtomicsByConflictAndBarriersByThreads) {
  std::vector<results::Record> records = h100().records;
  for (const std::int64_t lanes : {1, 32})
    for (const double rate : {8e12, 8.4e12})  // two passes
      records.push_back(probed("atomics",
                               {{"memory", "shared"}, {"operation", "add"}, {"conflict_lanes", lanes}},
                               {1e9, "operations"}, 1e9 / (rate / static_cast<double>(lanes))));
  for (const std::int64_t threads : {64, 1024})
    for (const std::int64_t blocks : {1, 2})
      records.push_back(probed("barrier", {{"threads_per_block", threads}, {"blocks_per_sm", blocks}},
                               {64000, "barriers"}, 64000e-9 * static_cast<double>(threads * blocks) / 10));
  const ordered_json profile = machine_profile(h100().summary, records);
  const ordered_json& device = profile["devices"]["cuda:0"];
  ASSERT_EQ(device["atomics"].size(), 2u);
  EXPECT_NEAR(device["atomics"][0]["rate"].get<double>(), 8.4e12, 1e6);
  ASSERT_EQ(device["barriers"].size(), 4u);
  EXPECT_NEAR(device["barriers"][0]["seconds"].get<double>(), 6.4e-9, 1e-12);
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
  expect_text(rows_of(profile, "atomics"));
  expect_text(rows_of(profile, "barriers"));
}

/// Random accesses over footprint, of 64 warps and 4 loads per lane.
std::vector<results::Record> with_curve() {
  std::vector<results::Record> records = h100().records;
  for (int octave = 20; octave <= 30; ++octave)
    records.push_back(probed("random_access",
                             {{"footprint_bytes", std::int64_t{1} << octave},
                              {"block_bytes", 32},
                              {"access", "independent"},
                              {"in_flight", 4},
                              {"blocks_per_sm", 8}},
                             {1e9, "bytes"}, octave < 26 ? 2e-4 : 1e-3));
  return records;
}

/// The rows of a profile's table of levels, by their first word.
std::map<std::string, std::string> level_rows(const ordered_json& profile) {
  std::map<std::string, std::string> rows;
  std::istringstream lines(profile_text(profile));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    rows.emplace(first, line);
  }
  return rows;
}

ordered_json random_curve(const std::vector<std::pair<double, double>>& points, int in_flight) {
  ordered_json rows = ordered_json::array();
  for (const auto& [footprint, rate] : points)
    rows.push_back({{"footprint_bytes", footprint}, {"median", rate}});
  return {
      {"probe", "random_access"},
      {"point", {{"access", "independent"}, {"block_bytes", 64}, {"threads", 0}, {"in_flight", in_flight}}},
      {"unit", "bytes/s"},
      {"points", std::move(rows)},
      {"disturbed_points", 0}};
}

ordered_json level(const std::string& name, double bytes) {
  return {{"name", name},          {"measured_bytes", bytes},
          {"low_bytes", bytes},    {"high_bytes", bytes},
          {"stated_bytes", bytes}, {"uncertain", false},
          {"kind", "cache"},       {"evidence", ordered_json::array()}};
}

/// A profile of curves and levels alone.
ordered_json profile_of(const std::vector<ordered_json>& curves, const std::vector<ordered_json>& levels,
                        const std::vector<ordered_json>& stated_only = {}) {
  ordered_json device = machine_profile(h100().summary, h100().records)["devices"]["cuda:0"];
  device["curves"] = curves;
  device["levels"] = levels;
  device["stated_only"] = stated_only;
  device["unconfirmed"] = device["sequential"] = device["fetch"] = ordered_json::array();
  return {{"devices", {{"cpu", device}}}};
}

constexpr double kKiB = 1024, kMiB = 1024 * kKiB;

TEST(LevelsOfAProfile, HaveValuesOfPointsInsideThemOnly) {
  // One curve reaches into memory; another of the same blocks ends in the L1.
  const auto rows =
      level_rows(profile_of({random_curve({{64 * kKiB, 50e9}, {8 * kMiB, 20e9}, {256 * kMiB, 7.9e9}}, 4),
                             random_curve({{64 * kKiB, 53.9e9}}, 8)},
                            {level("L1", 128 * kKiB), level("L2", kMiB), level("L3", 32 * kMiB)}));
  expect_text(rows.at("L1"));
  EXPECT_THAT(rows.at("L2"), Not(HasSubstr("GB/s")));  // nothing was probed between 128 KiB and 1 MiB
  expect_text(rows.at("L3"));
  expect_text(rows.at("memory"));
}

TEST(LevelsOfAProfile, MemoryBeginsBehindCachesThatAreOnlyStated) {
  const ordered_json stated{
      {"name", "L3"}, {"stated_bytes", 32 * kMiB}, {"reason", "no level was found near it"}};
  const auto memory = [&](double largest) {
    return level_rows(profile_of({random_curve({{64 * kKiB, 53.9e9}, {largest, 9e9}}, 4)}, {}, {stated}))
        .at("memory");
  };
  EXPECT_THAT(memory(16 * kMiB), Not(HasSubstr("GB/s")));
  expect_text(memory(64 * kMiB));
  // Without a known level it is unknown where memory begins.
  EXPECT_THAT(level_rows(profile_of({random_curve({{64 * kKiB, 53.9e9}}, 4)}, {})).at("memory"),
              Not(HasSubstr("GB/s")));
}

TEST(RatesInOrder, NameTheirFootprintWhereItIsNotMemory) {
  ordered_json profile = profile_of({}, {level("L2", kMiB)});
  const std::string without = profile_text(profile);
  ordered_json& rows = profile["devices"]["cpu"]["sequential"];
  rows = ordered_json::array({{{"operation", "read"}, {"footprint_bytes", 64 * kKiB}, {"rate", 53.9e9}}});
  expect_text(testing::lines_beyond(profile_text(profile), without));
  rows[0]["footprint_bytes"] = 64 * kMiB;
  expect_text(testing::lines_beyond(profile_text(profile), without));
}

/// The same, and at 1 GiB fewer in flight, and more: 132 multiprocessors, 16 blocks per warp and load.
std::vector<results::Record> with_occupancy() {
  std::vector<results::Record> records = with_curve();
  const auto say = [&](std::int64_t warps, std::int64_t loads) {
    records.back().facts = {{"multiprocessors", 132},
                            {"warps_per_sm", warps},
                            {"loads_per_lane", loads},
                            {"accesses_in_flight", 132 * warps * 16 * loads}};
  };
  say(64, 4);
  for (const auto& [blocks, loads, seconds] : {std::tuple(1, 1, 8e-3), std::tuple(4, 4, 1.05e-3),
                                               std::tuple(8, 1, 1.5e-3), std::tuple(8, 8, 0.99e-3)}) {
    records.push_back(probed("random_access",
                             {{"footprint_bytes", std::int64_t{1} << 30},
                              {"block_bytes", 32},
                              {"access", "independent"},
                              {"in_flight", loads},
                              {"blocks_per_sm", blocks}},
                             {1e9, "bytes"}, seconds));
    say(8 * blocks, loads);
  }
  return records;
}

TEST(MachineProfile, SaysHowManyAccessesMustBeInFlight) {
  const ordered_json profile = machine_profile(h100().summary, with_occupancy());
  const ordered_json& occupancy = profile["devices"]["cuda:0"]["occupancy"];
  ASSERT_EQ(occupancy.size(), 1u);
  EXPECT_EQ(occupancy[0]["block_bytes"], 32);
  ASSERT_EQ(occupancy[0]["points"].size(), 5u);
  const ordered_json& least = occupancy[0]["points"][0];
  EXPECT_EQ(least["warps_per_sm"], 8);
  EXPECT_EQ(least["accesses_per_sm"], 128);
  EXPECT_NEAR(least["latency_ns"].get<double>(), 1e9 * 132 * 128 * 32 * 8e-3 / 1e9, 1e-6);
  EXPECT_EQ(occupancy[0]["reaches_90_percent"]["warps_per_sm"], 32);
  expect_text(rows_of(profile, "occupancy"));
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
  ordered_json wrong = profile;
  wrong["devices"]["cuda:0"]["occupancy"][0]["points"][0].erase("warps_per_sm");
  EXPECT_THROW(read_profile(folder.write("wrong.json", wrong.dump())), UsageError);
}

TEST(MachineProfile, KeepsAccessesInFlightApartFromCurvesOverFootprint) {
  const auto profile_of = [](const std::vector<results::Record>& records) {
    return machine_profile(h100().summary, records);
  };
  const ordered_json without = profile_of(with_curve()), with = profile_of(with_occupancy());
  EXPECT_FALSE(without["devices"]["cuda:0"].contains("occupancy"));
  for (const char* key :
       {"levels", "stated_only", "gradual_rises", "fit", "curves", "sequential", "launches"})
    EXPECT_EQ(with["devices"]["cuda:0"][key], without["devices"]["cuda:0"][key]) << key;
  const auto table_of = [](const ordered_json& profile) {
    std::string text = profile_text(profile);
    if (const std::size_t line = text.find("  in flight"); line != std::string::npos)
      text.erase(line, text.find('\n', line) + 1 - line);
    return text.substr(0, text.rfind("  this machine is "));  // which counts points
  };
  EXPECT_EQ(table_of(with), table_of(without));
}

TEST(MachineProfile, AsTextNamesLevelsMemoryAndInstructionsAndFitsAScreen) {
  const std::string text = profile_text(machine_profile(h100().summary, h100().records));
  expect_text(text);
  EXPECT_LT(std::ranges::count(text, '\n'), 2 * 30);
}

TEST(MachineProfile, IsRefusedWhereNothingWasProbed) {
  EXPECT_THROW(machine_profile(nlohmann::json::object(), {}), UsageError);
  std::vector<results::Record> kernels(1, h100().records.front());
  kernels.front().kind = "kernel";
  EXPECT_THROW(machine_profile(h100().summary, kernels), UsageError);
}

TEST(MachineProfile, OfARunThatDiedBeforeItsSummaryHasWhatItsRecordsSay) {
  const ordered_json profile = machine_profile(nlohmann::json::object(), h100().records);
  EXPECT_TRUE(profile["program"].is_null());
  EXPECT_EQ(profile["devices"]["cuda:0"]["name"], "cuda:0");
  expect_text(testing::lines_beyond(profile_text(profile),
                                    profile_text(machine_profile(h100().summary, h100().records))));
}

}  // namespace
}  // namespace gpuseq::bench
