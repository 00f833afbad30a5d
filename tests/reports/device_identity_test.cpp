#include "reports/device_identity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/reports/example_run.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// Entries of one run each, whose records describe their device so.
struct Machines {
  std::vector<Run> runs;
  std::vector<Entry> entries;

  void add(const std::string& run, const std::string& id, const json& device) {
    runs.push_back({run, run, nullptr});
    results::Record r =
        example::record("latency", "chase", {}, {{"footprint_bytes", 4096}}, id, 1, "accesses", 1);
    r.provenance["device"] = device;
    entries.push_back({.record = std::move(r), .run = runs.size() - 1});
  }
  std::set<std::string> names(Boards boards = Boards::apart) {
    identify_devices(runs, entries, boards);
    std::set<std::string> names;
    for (const Entry& entry : entries) names.insert(entry.device_name);
    return names;
  }
};

json h200(const std::string& driver, const std::string& uuid) {
  return {
      {"name", "NVIDIA H200"}, {"driver_version", driver}, {"uuid", uuid}, {"memory_bytes", 150109880320}};
}

TEST(DeviceIdentity, IsTheSameInTwoRunsWhateverTheClocksAre) {
  Machines machines;
  json device = h200("580.65", "GPU-1");
  device["sm_clock_mhz"] = 1980;
  machines.add("first", "cuda:0", device);
  device["sm_clock_mhz"] = 345;
  device["description_hash"] = "another";
  machines.add("second", "cuda:1", device);
  EXPECT_THAT(machines.names(), UnorderedElementsAre("NVIDIA H200"));
  EXPECT_EQ(machines.entries[0].device_fingerprint, machines.entries[1].device_fingerprint);
}

TEST(DeviceIdentity, TellsDevicesOfOneNameApartByTheirDrivers) {
  Machines machines;
  machines.add("first", "cuda:0", h200("580.65", "GPU-1"));
  machines.add("second", "cuda:0", h200("575.51", "GPU-1"));
  EXPECT_THAT(machines.names(),
              UnorderedElementsAre("NVIDIA H200 (driver 580.65)", "NVIDIA H200 (driver 575.51)"));
}

TEST(DeviceIdentity, TellsEqualDevicesOfOneRunApartByTheirNumbers) {
  Machines machines;
  machines.add("run", "cuda:0", h200("580.65", "GPU-1"));
  machines.add("run", "cuda:1", h200("580.65", "GPU-2"));
  EXPECT_THAT(machines.names(), UnorderedElementsAre("NVIDIA H200 (cuda:0)", "NVIDIA H200 (cuda:1)"));
}

TEST(DeviceIdentity, TellsDevicesOfTwoRunsApartByTheRuns) {
  Machines machines;
  machines.add("north", "cpu", {{"name", "AMD EPYC"}, {"cores", 2}});
  machines.add("south", "cpu", {{"name", "AMD EPYC"}, {"cores", 96}});
  EXPECT_THAT(machines.names(), UnorderedElementsAre("AMD EPYC (run north)", "AMD EPYC (run south)"));
}

TEST(DeviceIdentity, IsTheSameWhetherOrNotAProgramSaysTheWaysOfCaches) {
  Machines machines;
  json device{{"name", "Xeon"}, {"caches", {{{"level", 1}, {"bytes", 49152}}}}};
  machines.add("older", "cpu", device);
  device["caches"][0]["ways"] = 12;
  machines.add("newer", "cpu", device);
  EXPECT_THAT(machines.names(), UnorderedElementsAre("Xeon"));
  device["caches"][0]["bytes"] = 32768;
  machines.add("other", "cpu", device);
  EXPECT_THAT(machines.names(), SizeIs(2));
}

// A legend of nine runs' names made a figure so wide that it could not be read.
TEST(DeviceIdentity, TellsDevicesOfManyRunsApartByTheFirstOfThem) {
  Machines machines;
  const json one{{"name", "Xeon"}, {"cores", 16}}, other{{"name", "Xeon"}, {"cores", 8}};
  for (const char* run : {"a", "b", "c"}) machines.add(run, "cpu", one);
  for (const char* run : {"d", "e"}) machines.add(run, "cpu", other);
  EXPECT_THAT(machines.names(), UnorderedElementsAre("Xeon (run a and 2 others)", "Xeon (run d, e)"));
}

TEST(DeviceIdentity, OfBoardsByModelIsOneUnlessMoreThanTheirUuidsDiffers) {
  Machines machines;
  machines.add("north", "cuda:0", h200("580.65", "GPU-1"));
  machines.add("south", "cuda:0", h200("580.65", "GPU-2"));
  EXPECT_THAT(machines.names(), SizeIs(2));
  EXPECT_THAT(machines.names(Boards::by_model), UnorderedElementsAre("NVIDIA H200"));
  EXPECT_EQ(machines.entries[0].device_fingerprint, machines.entries[1].device_fingerprint);
  machines.add("west", "cuda:0", h200("575.51", "GPU-3"));
  EXPECT_THAT(machines.names(Boards::by_model),
              UnorderedElementsAre("NVIDIA H200 (driver 580.65)", "NVIDIA H200 (driver 575.51)"));
}

TEST(DeviceIdentity, OfDevicesThatNobodyDescribesIsTheirRun) {
  Machines machines;
  machines.add("north", "cpu", nullptr);
  machines.add("south", "cpu", nullptr);
  EXPECT_THAT(machines.names(), UnorderedElementsAre("cpu (run north)", "cpu (run south)"));
}

TEST(SettledRecords, OfOneStateInTwoRunsOnOneDeviceAreOne) {
  ReportData data = example::data();
  const std::size_t before = data.settled("latency").size();
  const std::vector<Entry> again = data.entries;
  data.runs.push_back({"second", "second", example::summary()});
  for (Entry entry : again) {
    entry.run = 1;
    data.entries.push_back(std::move(entry));
  }
  identify_devices(data.runs, data.entries);
  EXPECT_EQ(data.settled("latency").size(), before);
}

}  // namespace
}  // namespace gpuseq::reports
