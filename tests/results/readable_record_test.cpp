#include "results/reading/readable_record.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "results/journal.hpp"
#include "results/line_file.hpp"
#include "results/record_line.hpp"
#include "runtime/text/printable.hpp"
#include "tests/golden_text.hpp"
#include "tests/results/example_record.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::results {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Record read_back(const Record& record) {
  std::string line = json_line(to_json(record));
  line.pop_back();
  return RecordLineReader().read(line);
}

/// Numbers that a clock or a counter may give, and texts that a file may hold.
class Extremes {
 public:
  explicit Extremes(std::uint64_t seed) : random_(seed) {}

  bool chance(std::uint64_t of) { return random_.below(of) == 0; }
  double number() {
    static constexpr std::array kNumbers{
        0.0, -0.0, 5e-324, 1e-300, 1e308,     -1.0,       1e-12,
        1e9, 1e10, -1e308, 1.0,    kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
    return kNumbers[random_.below(kNumbers.size())];
  }
  std::string text() {
    static const std::vector<std::string> texts{
        "",    "\xff\xfe", "\xc3", std::string("a\0b", 3), "\n{\"x\":", "\xe2\x80\xae", ",\"provenance\":{",
        "word"};
    return texts[random_.below(texts.size())];
  }
  Random& random() { return random_; }

 private:
  Random random_;
};

/// One of many fields of a record gets an extreme value.
void change(Record& record, Extremes& some) {
  switch (some.random().below(20)) {
    case 0:
      record.samples_s.assign(1 + some.random().below(3), some.number());
      break;
    case 1:
      record.work = {some.number(), some.text()};
      break;
    case 2:
      if (record.statistics) record.statistics->rate = some.number();
      break;
    case 3:
      if (record.statistics) record.statistics->low_s = some.number();
      break;
    case 4:
      if (record.statistics) record.statistics->rate_unit = some.text();
      break;
    case 5:
      if (record.single_launch) record.single_launch->samples_s = {some.number()};
      break;
    case 6:
      record.verification = Verification{false, some.random()(), some.text()};
      break;
    case 7:
      if (record.traffic) record.traffic->blocks = some.number();
      break;
    case 8:
      if (record.instructions) record.instructions->operations[some.text()] = some.number();
      break;
    case 9:
      if (record.resources) record.resources->occupancy = some.number();
      break;
    case 10:
      record.memory = {HeldMemory{{{some.text(), some.chance(2) ? 0 : UINT64_MAX}}}, {}};
      break;
    case 11:
      record.counters = {std::map<std::string, double>{{some.text(), some.number()}}, some.text()};
      break;
    case 12:
      record.energy = {nlohmann::json{{some.text(), some.number()}}, {}};
      break;
    case 13:
      record.bound = {Bound{some.number(), some.text(), some.text(), some.number(), {}}, {}};
      break;
    case 14:
      record.side_samples_s[some.text()] = {some.number(), some.number()};
      break;
    case 15:
      record.facts[some.text()] =
          some.chance(2) ? nlohmann::json(some.number()) : nlohmann::json(some.text());
      break;
    case 16:
      record.notes.push_back(some.text());
      break;
    case 17:
      record.failure = Failure{some.text(), some.text()};
      break;
    case 18:
      record.problem_hash = record.problem_label = some.text();
      break;
    default:
      record.took_s = some.number();
      record.date = some.text();
      record.discarded_throttled = some.chance(2) ? -1 : std::numeric_limits<int>::max();
      record.reference_loop =
          ReferenceLoopTimes{.threads = 1, .best_s = some.number(), .slowdown = some.number()};
  }
}

TEST(ReadableRecord, WhateverIsWrittenIsReadAgain) {
  Extremes some(7);
  int kept = 0, failed = 0;
  for (int i = 0; i < 3000; ++i) {
    Record record = random_record(some.random());
    for (std::uint64_t changes = some.random().below(4); changes > 0; --changes) change(record, some);
    const Record written = made_readable(record);
    const Record read = read_back(written);
    EXPECT_EQ(read.state.to_string(), record.state.to_string());
    EXPECT_EQ(read.phase, record.phase);
    EXPECT_EQ(read.repetition, record.repetition);
    std::string shown;  // readers make texts printable, which changes the order of names
    EXPECT_EQ(nlohmann::json::parse(json_line(to_json(read))),
              nlohmann::json::parse(printable_json(json_line(to_json(written)), shown)));
    const bool is_replaced =
        written.failure && written.failure->reason.starts_with("its record could not be");
    if (is_replaced) {
      EXPECT_EQ(read.status, Status::failed);
      EXPECT_TRUE(read.samples_s.empty() && !read.statistics && !read.single_launch);
    }
    ++(is_replaced ? failed : kept);
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(failed, 500);
}

TEST(ReadableRecord, IsTheRecordItselfWhereItsLineIsRead) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Record record = random_record(random);
    EXPECT_EQ(to_json(made_readable(record)), to_json(record));
  }
}

TEST(ReadableRecord, JournalNamesWhatItCouldNotHold) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "records.jsonl";
  Journal journal(path);
  Record record = full_record();
  record.samples_s[1] = 0;
  journal.append(record);
  record = full_record();
  record.state.device = "cpu";
  record.single_launch->rate = kInfinity;
  journal.append(record);
  const std::vector<Record> read = Journal::load(path);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].failure->kind, "error");
  EXPECT_EQ(
      read[0].failure->reason,
      "its record could not be read again: /samples_s/1: found 0, allowed: seconds from 1e-12 to 1000000000");
  expect_text(read[1].failure->reason);
}

}  // namespace
}  // namespace gpuseq::results
