#include "bench/measure/filling.hpp"

#include <gtest/gtest.h>

#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using results::Record;

const nlohmann::json kGpu{{"multiprocessors", 132}, {"threads_per_multiprocessor", 2048}};

Record gpu_record(double seconds, long long blocks) {
  Record record = kernel_record("on_gpu", 1, {seconds, seconds, seconds});
  record.state.device = "cuda:0";
  record.resources =
      Resources{.threads_per_block = 256, .blocks = blocks, .occupancy = 0.5, .compiled_by = "nvrtc"};
  return record;
}

std::optional<results::Filling> filling(const Record& record, std::vector<Record> on_the_way = {},
                                        const std::string& ended_by = "") {
  return filling_of(record, on_the_way, kGpu, ended_by);
}

TEST(Filling, FewerThreadsThanCanBeResidentDoNotFillAGpu) {
  EXPECT_EQ(filling(gpu_record(1e-2, 527))->fills, false);  // 528 blocks of 256 are resident
  expect_text(filling(gpu_record(1e-2, 527))->reason);
}

TEST(Filling, ALaunchOfMicrosecondsDoesNotFillAGpu) {
  EXPECT_EQ(filling(gpu_record(2e-5, 100000))->fills, false);
  expect_text(filling(gpu_record(2e-5, 100000))->reason);
}

TEST(Filling, IsNotKnownOfMoreThreadsNorOfACpuWithoutACurve) {
  EXPECT_EQ(filling(gpu_record(1e-2, 100000))->fills, std::nullopt);
  EXPECT_EQ(filling(kernel_record("steady", 1, {1e-2}))->fills, std::nullopt);
}

TEST(Filling, IsAQuestionOfKernelsThatWereMeasured) {
  EXPECT_FALSE(filling(bandwidth_record(1 << 20, 64, 1e10)));
  Record failed = gpu_record(1e-2, 1);
  failed.status = results::Status::failed;
  EXPECT_FALSE(filling(failed));
}

Record sized(std::int64_t size, const std::string& phase, double seconds) {
  Record record = kernel_record("steady", 1, {seconds, seconds, seconds}, phase);
  record.state.problem.set("size", size);
  record.size = results::ProblemSize{.axis = "size", .noun = "toys", .value = size};
  record.work.amount = static_cast<double>(size);
  record.statistics = results::summarise(record.samples_s, record.work, 0.95, "sample limit");
  return record;
}

TEST(Filling, IsReadOffTheCurveOfTheDeviceWhereThereIsOne) {
  const std::vector<Record> settled{sized(100, "size", 0.01), sized(400, "size", 0.04)};
  EXPECT_EQ(filling(sized(400, "sweep", 0.04), settled, "the budget")->fills, true);
  const std::vector<Record> rising{sized(100, "size", 0.01), sized(400, "size", 0.02)};
  const auto half_full = filling(sized(400, "sweep", 0.02), rising, "the budget");
  EXPECT_EQ(half_full->fills, false);
  expect_text(half_full->reason);
}

}  // namespace
}  // namespace gpuseq::bench
