#include "bench/measure/violated.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/golden_text.hpp"

// Which probes a violated bound uses, and the text of its record.

namespace gpuseq::bench {
namespace {

using results::Record;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const Variant kOnCpu{.name = "cpu", .summary = "", .space = {}},
    kOnGpu{.name = "cuda", .device = DeviceKind::cuda, .summary = "", .space = {}};

State probe(const std::string& family, const Point& point, const std::string& device = "cpu") {
  return {.key = {family, device == "cpu" ? "cpu" : "cuda", {}, point, device},
          .kind = "probe",
          .phase = "probe",
          .family = nullptr,
          .variant = device == "cpu" ? &kOnCpu : &kOnGpu};
}

State throughput(const std::string& operation, const std::string& target, const std::string& device = "cpu") {
  Point point{{"operation", operation}};
  if (device == "cpu") point.set("target", target);
  return probe("instruction_throughput", point, device);
}

State random_access(std::int64_t footprint_bytes, const std::string& device = "cpu") {
  return probe("random_access", {{"footprint_bytes", footprint_bytes}}, device);
}

std::vector<std::string> names(const std::vector<State>& states) {
  std::vector<std::string> found;
  for (const State& state : states) {
    const Point& point = state.key.point;
    found.push_back(state.key.device + " " +
                    (point.has("operation")         ? point.word("operation")
                     : point.has("footprint_bytes") ? std::to_string(point.integer("footprint_bytes"))
                                                    : state.key.family));
  }
  return found;
}

Record kernel(const std::string& bound_by, double fraction) {
  Record record;
  record.kind = "kernel";
  record.state.device = "cpu";
  record.bound = {results::Bound{.rate = 1, .bound_by = bound_by, .explanation = "", .fraction = fraction},
                  {}};
  return record;
}

std::vector<State> all_probes() {
  return {throughput("add_u8", "avx512"),
          throughput("add_u8", "avx2"),
          throughput("add_u8+min_u8", "avx512"),
          throughput("min_u8", "avx512"),
          throughput("shuffle_u8", "avx512"),
          throughput("prmt", "", "cuda:0"),
          throughput("imad", "", "cuda:0"),
          random_access(1 << 16),
          random_access(1 << 20),
          random_access(1 << 24),
          random_access(1 << 20, "cuda:0"),
          probe("launch", {}, "cuda:0")};
}

TEST(ProbesBehind, AreThoseOfTheOperationsAndTheInstructionSetOfARecord) {
  Record record = kernel("ALU", 1.2);
  record.instructions = Instructions{.operations = {{"add_u8", 1.0}, {"min_u8", 2.0}}, .target = "avx512"};
  record.traffic = Traffic{.blocks = 1, .block_bytes = 64, .footprint_bytes = 1 << 20};
  EXPECT_THAT(names(probes_behind(record, all_probes())),
              ElementsAre("cpu add_u8", "cpu add_u8+min_u8", "cpu min_u8"));
}

TEST(ProbesBehind, AreThoseOfAllDevicesThatShareTheWork) {
  Record record = kernel("ALU", 1.2);
  record.instructions = Instructions{};
  record.instructions->by_device = {{"cpu", {{"min_u8", 2.0}}, "avx512"}, {"cuda:0", {{"prmt", 1.0}}, ""}};
  const std::vector<std::string> found = names(probes_behind(record, all_probes()));
  EXPECT_THAT(found, Contains("cpu min_u8"));
  EXPECT_THAT(found, Contains("cuda:0 prmt"));
  EXPECT_THAT(found, Not(Contains("cpu add_u8")));
}

TEST(ProbesBehind, AreThoseOfFootprintsAroundThatOfARecordBoundByMemory) {
  Record record = kernel("L2", 1.2);
  record.instructions = Instructions{.operations = {{"add_u8", 1.0}}, .target = "avx512"};
  record.traffic = Traffic{.blocks = 1, .block_bytes = 64, .footprint_bytes = 1 << 18};
  EXPECT_THAT(names(probes_behind(record, all_probes())), ElementsAre("cpu 65536", "cpu 1048576"));
  record.traffic->classes = {{.footprint_bytes = 1 << 25, .blocks = 1}};
  EXPECT_THAT(names(probes_behind(record, all_probes())),
              ElementsAre("cpu 65536", "cpu 1048576", "cpu 16777216"));
}

TEST(ProbesBehind, AreLaunchesOfARecordBoundByThese) {
  Record record = kernel("launch", 1.2);
  record.state.device = "cuda:0";
  EXPECT_THAT(names(probes_behind(record, all_probes())), ElementsAre("cuda:0 launch"));
}

TEST(SettledBound, HasANoteOnlyWhereItIsViolated) {
  Record record = kernel("ALU", 1.2);
  record.notes = {"another"};
  settle_bound(record, kernel("DRAM", 1.2).bound);
  EXPECT_TRUE(is_violated(record));
  expect_text(record.notes);
  settle_bound(record, kernel("ALU", 1.3).bound);
  expect_text(record.notes);
  settle_bound(record, kernel("ALU", 1.01).bound);
  EXPECT_FALSE(is_violated(record));
  EXPECT_THAT(record.notes, ElementsAre("another"));
  settle_bound(record, {std::nullopt, "no probe"});
  EXPECT_THAT(record.notes, ElementsAre("another"));
  EXPECT_THAT(probes_behind(record, all_probes()), IsEmpty());
}

}  // namespace
}  // namespace gpuseq::bench
