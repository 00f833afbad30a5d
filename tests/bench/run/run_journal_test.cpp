#include "bench/run/run_journal.hpp"

#include <gmock/gmock.h>
#include <malloc.h>

#include "tests/bench/process.hpp"
#include "tests/bench/records.hpp"

namespace gpuseq::bench {
namespace {

using testing::ok_record;
using testing::Scratch;

results::Record numbered(int number) {
  results::StateKey key{.family = "toy",
                        .variant = "steady",
                        .problem = {{"reference", "a reference with a name of some length"}},
                        .point = {{"number", std::int64_t{number}}},
                        .device = "cpu"};
  return ok_record(std::move(key), "kernel", "sweep", {10, "toys"}, {0.5, 0.5, 0.5});
}

TEST(RunJournal, FindsItsRecordsAgain) {
  const Scratch scratch;
  {
    RunJournal journal(scratch / "records.jsonl");
    for (int i = 0; i < 100; ++i) journal.append(numbered(i));
    EXPECT_EQ(journal.size(), 100u);
  }
  const RunJournal journal(scratch / "records.jsonl");
  ASSERT_EQ(journal.size(), 100u);
  for (int i = 0; i < 100; ++i) {
    const std::string key = results::record_key(numbered(i));
    ASSERT_TRUE(journal.has(key));
    EXPECT_EQ(journal.record(key).state.point.integer("number"), i);
  }
  EXPECT_FALSE(journal.has(results::record_key(numbered(100))));
}

TEST(RunJournal, KeepsFewBytesOfEachRecord) {
  constexpr int kRecords = 20'000;
  constexpr std::size_t kMostBytes = 100;  // of each; keys alone took 400
  const Scratch scratch;
  RunJournal journal(scratch / "records.jsonl");
  journal.append(numbered(-1));
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < kRecords; ++i) journal.append(numbered(i));
  EXPECT_LT(mallinfo2().uordblks, before + kRecords * kMostBytes);
}

}  // namespace
}  // namespace gpuseq::bench
