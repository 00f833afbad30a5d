#include "bench/profile/caches/load_paths.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/profile/profile_records.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

struct Chain {
  std::int64_t footprint_bytes, stride_bytes;
  double clocks;
  std::string order = "random", evicted_by = "nothing", path = "global";
};

results::Record record_of(const Chain& chain) {
  results::Record record = probed("load_path",
                                  {{"footprint_bytes", chain.footprint_bytes},
                                   {"stride_bytes", chain.stride_bytes},
                                   {"path", chain.path},
                                   {"order", chain.order},
                                   {"evicted_by", chain.evicted_by}},
                                  {1e4, "accesses"}, 1e4 * chain.clocks * 0.5e-9);
  record.facts = nlohmann::json{{"latency_clocks", chain.clocks}, {"latency_ns", chain.clocks / 2}};
  return record;
}

/// A cache of 128 KiB whose lines are of 128 B and whose misses bring 32 B, which textures have too.
std::vector<results::Record> with_chains() {
  std::vector<results::Record> records = h100().records;
  const auto add = [&](const Chain& chain) { records.push_back(record_of(chain)); };
  for (const std::int64_t kib : {16, 32, 64, 128, 256, 512}) {
    add({kib << 10, 32, kib <= 128 ? 34.0 : 260.0});
    add({kib << 10, 32, kib <= 128 ? 33.0 : 262.0});  // a second pass
    add({kib * 3328, 416, kib <= 128 ? 33.0 : 260.0});
  }
  for (const std::int64_t stride : {16, 32, 64, 128})
    add({512 << 10, stride, stride == 16 ? 146.0 : 260.0, "ascending"});
  add({128 << 10, 32, 200, "random", "texture"});
  add({128 << 10, 32, 35, "random", "read_only"});
  add({64 << 10, 32, 200, "random", "read_only"});  // both chains fit: it is not asked
  add({1024, 16, 23, "random", "nothing", "shared"});
  add({32768, 16, 23, "random", "nothing", "shared"});
  return records;
}

TEST(MachineProfile, HasByPathWhatItsChainsShow) {
  const ordered_json profile = machine_profile(h100().summary, with_chains());
  const ordered_json& device = profile["devices"]["cuda:0"];
  ASSERT_EQ(device["load_paths"].size(), 2u);
  const ordered_json& global = device["load_paths"][0];
  EXPECT_EQ(global["path"], "global");
  ASSERT_EQ(global["levels"].size(), 2u);
  EXPECT_EQ(global["levels"][0]["latency_clocks"], 33);
  EXPECT_EQ(global["levels"][0]["latency_ns"], 16.5);
  EXPECT_EQ(global["levels"][0]["served_bytes"], 128 << 10);
  EXPECT_EQ(global["levels"][0]["exceeded_bytes"], 256 << 10);
  EXPECT_TRUE(global["levels"][1]["served_bytes"].is_null());
  EXPECT_EQ(global["fetch_bytes"], 32);
  EXPECT_EQ(global["line_bytes"], 128);
  EXPECT_TRUE(global["ways"].is_null());
  EXPECT_FALSE(global["reasons"]["ways"].get<std::string>().empty());
  EXPECT_EQ(global["evicted_by"], (ordered_json{{"texture", true}, {"read_only", false}}));
  EXPECT_EQ(global["points"].size(), 6u + 6 + 4 + 3);
  expect_text(rows_of(profile, "load_paths"));
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
  ordered_json wrong = profile;
  wrong["devices"]["cuda:0"]["load_paths"][0]["levels"][0]["latency_clocks"] = 0;
  EXPECT_THROW(read_profile(folder.write("wrong.json", wrong.dump())), UsageError);
}

TEST(MachineProfile, KeepsChainsApartFromCurvesOverFootprint) {
  ordered_json with = machine_profile(h100().summary, with_chains()),
               without = machine_profile(h100().summary, h100().records);
  EXPECT_FALSE(without["devices"]["cuda:0"].contains("load_paths"));
  // They give the L1 its name, which it has by its shared memory otherwise.
  for (auto [profile, by] : {std::pair(&with, "load path global"), std::pair(&without, "shared memory")}) {
    ordered_json& l1 = (*profile)["devices"]["cuda:0"]["levels"][0];
    EXPECT_EQ(l1["name"], "L1");
    EXPECT_EQ(l1["named_by"], by);
    l1.erase("named_by");
  }
  for (const char* key : {"levels", "fit", "curves"})
    EXPECT_EQ(with["devices"]["cuda:0"][key], without["devices"]["cuda:0"][key]) << key;
}

TEST(MachineProfile, LeavesOutChainsThatSayNoClocks) {
  results::Record record = record_of({1024, 16, 23});
  record.facts = nlohmann::json::object();
  const std::vector<const results::Record*> one{&record};
  EXPECT_TRUE(load_paths_json(one).is_null());
}

TEST(MachineProfile, HasSharedMemoryOfOtherBlocksByTheSizeOfClusters) {
  std::vector<results::Record> records = h100().records;
  const auto add = [&](std::int64_t blocks, const char* operation, double clocks) {
    records.push_back(probed("cluster", {{"cluster_blocks", blocks}, {"operation", operation}},
                             {1e9, operation == std::string("read") ? "bytes" : "accesses"}, 1e-3));
    if (clocks > 0)
      records.back().facts = nlohmann::json{{"latency_clocks", clocks}, {"latency_ns", clocks / 2}};
  };
  add(1, "read", 0);
  add(1, "follow", 31);
  add(2, "follow", 190);
  records.push_back(records.back());
  records.back().state.point.set("cluster_blocks", std::int64_t{16});
  records.back().status = results::Status::skipped;
  records.back().failure = results::Failure{.kind = "resources", .reason = "no room for a cluster"};
  const ordered_json profile = machine_profile(h100().summary, records);
  const ordered_json& clusters = profile["devices"]["cuda:0"]["clusters"];
  ASSERT_EQ(clusters["sizes"].size(), 2u);
  EXPECT_EQ(clusters["sizes"][0]["rate"], 1e12);
  EXPECT_EQ(clusters["sizes"][1]["latency_clocks"], 190);
  EXPECT_TRUE(clusters["sizes"][1]["rate"].is_null());
  EXPECT_EQ(clusters["reason"], "no room for a cluster");
  expect_text(rows_of(profile, "clusters"));
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
}

TEST(MachineProfile, OfADeviceWithoutClustersSaysWhy) {
  std::vector<results::Record> records = h100().records;
  records.push_back(probed("cluster", {{"cluster_blocks", 2}, {"operation", "read"}}, {1, "bytes"}, 1));
  records.back().status = results::Status::skipped;
  records.back().failure = results::Failure{.kind = "resources", .reason = "needs sm_90"};
  const ordered_json profile = machine_profile(h100().summary, records);
  EXPECT_TRUE(profile["devices"]["cuda:0"]["clusters"]["sizes"].empty());
  expect_text(rows_of(profile, "clusters"));
}

}  // namespace
}  // namespace gpuseq::bench
