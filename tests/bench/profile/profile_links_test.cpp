#include <gtest/gtest.h>

#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/profile/profile_records.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// The links of a GPU in its profile: to the host, and to other GPUs.

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

/// The rates that an H100 on PCIe 5 may reach.
std::vector<results::Record> link_records() {
  std::vector<results::Record> records = h100().records;
  const auto add_copy = [&](const char* memory, const char* direction, std::int64_t bytes, double rate) {
    const double moved = static_cast<double>(bytes);
    records.push_back(probed("transfer",
                             {{"transfer_bytes", bytes}, {"memory", memory}, {"direction", direction}},
                             {moved, "bytes"}, moved / rate));
    records.back().single_launch.reset();
  };
  add_copy("pinned", "to_device", 1 << 26, 54e9);
  add_copy("pinned", "to_device", 1 << 26, 55e9);  // a second pass
  add_copy("pinned", "to_host", 1 << 26, 53e9);
  add_copy("pinned", "both", 1 << 26, 97e9);
  add_copy("pageable", "to_device", 1 << 26, 11e9);
  add_copy("pinned", "to_device", 4096, 2e9);
  records.back().single_launch = results::SingleLaunch{{9e-6}, 9e-6, 4096 / 9e-6};
  add_copy("pinned", "to_host", 4096, 1e9);
  const auto add_kernel = [&](const char* probe, Point point, double rate) {
    records.push_back(probed(probe, std::move(point), {1e8, "bytes"}, 1e8 / rate));
  };
  for (const std::int64_t footprint : {1 << 20, 1 << 26}) {
    const double rate = footprint == 1 << 20 ? 60e9 : 20e9;  // the nearer one is not the memory's
    for (const std::int64_t block : {32, 128})
      add_kernel("zero_copy",
                 {{"footprint_bytes", footprint}, {"block_bytes", block}, {"access", "independent"}},
                 rate + 1e7 * static_cast<double>(block));
    add_kernel("zero_copy_sequential", {{"footprint_bytes", footprint}, {"operation", "read"}}, 2 * rate);
  }
  return records;
}

TEST(MachineProfile, HasCopiesToTheHostAndKernelsThatReachIntoItsMemory) {
  const ordered_json profile = machine_profile(h100().summary, link_records());
  const ordered_json& link = profile["devices"]["cuda:0"]["host_link"];
  ASSERT_EQ(link["transfers"].size(), 6u);
  const ordered_json& large = link["transfers"][0];
  EXPECT_EQ(large["direction"], "to_device");
  EXPECT_NEAR(large["rate"].get<double>(), 55e9, 1);
  EXPECT_NEAR(large["seconds"].get<double>(), (1 << 26) / 55e9, 1e-9);
  EXPECT_TRUE(large["alone_seconds"].is_null());
  EXPECT_EQ(link["transfers"][4]["alone_seconds"], 9e-6);
  EXPECT_EQ(link["zero_copy"].size(), 4u);
  EXPECT_EQ(link["zero_copy_sequential"].size(), 2u);
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
  ordered_json wrong = profile;
  wrong["devices"]["cuda:0"]["host_link"]["transfers"][0]["direction"] = "sideways";
  EXPECT_THROW(read_profile(folder.write("wrong.json", wrong.dump())), UsageError);
  expect_text(rows_of(profile, "host_link"));
}

TEST(MachineProfile, KeepsTheLinkApartFromTheDevicesOwnMemory) {
  const auto device_of = [](const std::vector<results::Record>& records) {
    return machine_profile(h100().summary, records)["devices"]["cuda:0"];
  };
  const ordered_json without = device_of(h100().records), with = device_of(link_records());
  EXPECT_FALSE(without.contains("host_link"));
  for (const char* key : {"levels", "stated_only", "fit", "sequential", "loaded_latency", "launches"})
    EXPECT_EQ(with[key], without[key]) << key;
}

TEST(MachineProfile, HasWhatAGpuDoesWithTheMemoryOfEachPeer) {
  std::vector<results::Record> records = h100().records;
  const auto add = [&](const char* probe, Point point, double rate) {
    records.push_back(probed(probe, std::move(point), {1e8, "bytes"}, 1e8 / rate));
  };
  for (const std::int64_t peer : {1, 2}) {
    const double link = peer == 1 ? 1 : 0.5;
    for (const std::int64_t bytes : {4096, 1 << 28})
      add("peer_transfer", {{"transfer_bytes", bytes}, {"peer", peer}, {"direction", "to_peer"}},
          link * (bytes == 4096 ? 1e9 : 390e9));
    for (const std::int64_t footprint : {1 << 24, 1 << 30}) {
      const double rate = link * (footprint == 1 << 24 ? 400e9 : 279e9);  // the nearer one does not count
      add("peer_access",
          {{"footprint_bytes", footprint}, {"block_bytes", 32}, {"access", "independent"}, {"peer", peer}},
          rate);
      add("peer_access_sequential", {{"footprint_bytes", footprint}, {"operation", "read"}, {"peer", peer}},
          rate + 1e11);
    }
  }
  const ordered_json profile = machine_profile(h100().summary, records);
  const ordered_json& peers = profile["devices"]["cuda:0"]["peers"];
  ASSERT_EQ(peers.size(), 2u);
  for (const char* id : {"cuda:1", "cuda:2"})
    for (const char* rows : {"transfers", "access", "access_sequential"})
      EXPECT_EQ(peers[id][rows].size(), 2u);
  EXPECT_NEAR(peers["cuda:2"]["transfers"][1]["rate"].get<double>(), 195e9, 1);
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_profile(folder.write("machine.json", profile.dump())));
  ordered_json wrong = profile;
  wrong["devices"]["cuda:0"]["peers"]["cuda:1"]["transfers"][0]["direction"] = "sideways";
  EXPECT_THROW(read_profile(folder.write("wrong.json", wrong.dump())), UsageError);
  expect_text(rows_of(profile, "peers"));
  EXPECT_FALSE(machine_profile(h100().summary, h100().records)["devices"]["cuda:0"].contains("peers"));
}

}  // namespace
}  // namespace gpuseq::bench
