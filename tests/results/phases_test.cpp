#include "results/statistics/phases.hpp"

#include <gtest/gtest.h>

#include "results/statistics/statistics.hpp"

namespace gpuseq::results {
namespace {

Record kernel(const std::string& device, double seconds) {
  Record record;
  record.state = {.family = "exact_match",
                  .variant = "tree_words_gpu",
                  .problem = Point{{"reference", std::string("ecoli")}, {"reference_bases", std::int64_t{0}}},
                  .point = Point{{"prefix_letters", std::int64_t{10}}, {"filter_letters", std::int64_t{13}}},
                  .device = device};
  record.kind = "kernel";
  record.work = {100, "query bases"};
  record.samples_s = {seconds};
  record.statistics = summarise(record.samples_s, record.work, kConfidence, "sample limit");
  return record;
}

std::map<std::string, double> parts(const Record& record, const PhaseTimes& times = {}) {
  const Maybe<Waits> waits = waits_of(record, times, "run");
  EXPECT_TRUE(waits.value) << waits.reason;
  double sum = 0;
  for (const auto& [part, seconds] : waits.value->parts) sum += seconds;
  EXPECT_DOUBLE_EQ(sum, waits.value->total_s);
  EXPECT_EQ(waits.value->kernel_s, record.statistics->median_s);
  return waits.value->parts;
}

TEST(Phases, AUserWaitsForIndexTransfersKernelAndOutput) {
  Record record = kernel("cuda:0", 0.5);
  record.side_samples_s = {{"tree", {8}},     {"words", {4}},     {"upload_tree", {2}},
                           {"upload", {1}},   {"strands", {1}},   {"download", {0.75, 0.25, 0.25}},
                           {"listing", {16}}, {"printing", {32}}, {"load_kernel", {1000}}};
  EXPECT_EQ(parts(record), (std::map<std::string, double>{
                               {"index", 12}, {"transfers", 4.75}, {"kernel", 0.5}, {"output", 48}}));
}

TEST(Phases, TablesThatAnotherStateMadeAreWaitedForAsWell) {
  Record maker = kernel("cuda:0", 0.5), user = kernel("cuda:0", 0.25);
  maker.side_samples_s = {{"words", {4}}};
  user.side_samples_s = {{"upload", {1}}, {"download", {1}}};
  PhaseTimes times;
  times.note(maker, "run");
  EXPECT_EQ(parts(user, times).at("index"), 4);
  EXPECT_TRUE(times.words_of_another(user, "run"));
  EXPECT_FALSE(times.words_of_another(user, "another run"));
}

TEST(Phases, AProcessorTransfersNothingAndAnIndexIsBuiltFromTheSortedText) {
  Record record = kernel("cpu", 0.5);
  record.facts = {{"build_s", 3}, {"index_build_s", 1}, {"index_bytes", 100}};
  EXPECT_EQ(parts(record), (std::map<std::string, double>{{"index", 4}, {"kernel", 0.5}}));
}

TEST(Phases, WithoutAllOfThemThereIsAReason) {
  const auto reason = [](const Record& record) { return waits_of(record, {}, "run").reason; };
  Record gpu = kernel("cuda:0", 0.5);
  EXPECT_EQ(reason(gpu), "its upload was not timed");
  gpu.side_samples_s = {{"upload", {1}}};
  EXPECT_EQ(reason(gpu), "its download was not timed");
  gpu.side_samples_s["download"] = {1};
  EXPECT_EQ(reason(gpu), "");
  gpu.facts = {{"index_bytes", 100}};
  EXPECT_EQ(reason(gpu), "the upload of its index was not timed");
  Record hybrid = kernel("cpu", 0.5);
  hybrid.facts = {{"gpus", 2}};
  EXPECT_EQ(reason(hybrid), "copies to and from its GPUs are not timed");
  Record failed = kernel("cpu", 0.5);
  failed.statistics.reset();
  EXPECT_EQ(reason(failed), "it has no samples");
}

}  // namespace
}  // namespace gpuseq::results
