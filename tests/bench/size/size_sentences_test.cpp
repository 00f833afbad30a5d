#include "bench/size/size_sentences.hpp"

#include <gmock/gmock.h>

namespace gpuseq::bench {
namespace {

using results::Record;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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
  const auto all = sentences(records(0.1, 20'000'000));  // n_1/2 is 100 000, the rates are equal at 11 000
  EXPECT_THAT(
      all, Contains(HasSubstr("Below 11 000 reads a launch the CPU is faster than cuda:0, above cuda:0 is")));
  EXPECT_THAT(
      all, Contains("n_1/2 of cuda:0 is 100 000 reads (between 64 000 and 260 000): so many run at half of "
                    "its rate."));
  EXPECT_THAT(all, Contains(HasSubstr("n_1/2 of the CPU is below 1 000 reads")));
}

TEST(SizeSentences, SayWhichDeviceIsFasterAtAllSizes) {
  EXPECT_THAT(sentences(records(0, 16000)),
              Contains("cuda:0 is faster than the CPU from 1 000 reads a launch on."));
  EXPECT_THAT(
      sentences(records(10, 16000)),
      Contains("The CPU is faster than cuda:0 up to 16 000 reads a launch, the most that were measured."));
}

TEST(SizeSentences, AreSilentOnAHalfSizeThatIsNotKnown) {
  EXPECT_THAT(sentences(records(10, 16000)), Not(Contains(HasSubstr("n_1/2 of cuda:0"))));
}

TEST(SizeSentences, SizesHaveTwoDigits) {
  EXPECT_EQ(size_text(8), "8");
  EXPECT_EQ(size_text(9123), "9 100");
  EXPECT_EQ(size_text(2'048'000), "2 000 000");
}

}  // namespace
}  // namespace gpuseq::bench
