#include "bench/plan/sizes/size_sentences.hpp"

#include <gtest/gtest.h>

#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

/// Records on the way; a launch takes `start_s` and 10 us an item on a CPU, 1 us on a GPU.
std::vector<Record> records(double start_s, std::int64_t last) {
  std::vector<Record> all;
  for (std::int64_t size = 1000; size <= last; size *= 4)
    for (const char* device : {"cpu", "cuda:0"}) {
      const bool cpu = device[1] == 'p';
      Record record;
      record.state = {"toy", "steady", {{"size", size}}, {}, device};
      record.phase = "size";
      record.size = results::ProblemSize{.axis = "size", .noun = "reads", .value = size};
      record.work = {static_cast<double>(size), "toys"};
      record.statistics.emplace();
      record.statistics->median_s = (cpu ? 0 : start_s) + (cpu ? 1e-5 : 1e-6) * static_cast<double>(size);
      record.statistics->rate = record.work.amount / record.statistics->median_s;
      all.push_back(std::move(record));
    }
  return all;
}

std::vector<std::string> sentences(const std::vector<Record>& of) {
  return size_sentences(results::sized_problems(std::span(of)).at(0));
}

TEST(SizeSentences, SayFromWhereOnTheGpuIsFasterAndWhereDevicesAreHalfAsFast) {
  expect_text(sentences(records(0.1, 20'000'000)));  // n_1/2 is 100 000, the rates are equal at 11 000
}

TEST(SizeSentences, SayWhichDeviceIsFasterAtAllSizes) {
  expect_text(sentences(records(0, 16000)));
  expect_text(sentences(records(10, 16000)));  // silent on the n_1/2 of cuda:0, which is not known
}

TEST(SizeSentences, SizesHaveTwoDigits) {
  EXPECT_EQ(size_text(8), "8");
  EXPECT_EQ(size_text(9123), "9 100");
  EXPECT_EQ(size_text(2'048'000), "2 000 000");
}

}  // namespace
}  // namespace gpuseq::bench
