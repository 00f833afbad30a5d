#include "results/record_line.hpp"

#include <gtest/gtest.h>

#include "results/line_file.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::ordered_json;

ordered_json example(const char* date) {
  ordered_json json = to_json(full_record());
  json["provenance"] = {{"config", "a"}, {"date", date}, {"host", {{"name", "x"}}}};
  return json;
}

/// @returns the record as JSON, or why it is refused
template <typename Read>
ordered_json outcome(Read read) {
  try {
    return to_json(read());
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// Both readers agree on every line, the second time as the first. @returns how many lines they refuse
int expect_read_alike(const std::vector<ordered_json>& lines) {
  RecordLineReader reader;
  int refused = 0;
  for (int round = 0; round < 2; ++round)
    for (const ordered_json& line : lines) {
      const std::string text = line.dump();
      const ordered_json read = outcome([&] { return reader.read(text); });
      EXPECT_EQ(read, outcome([&] { return record_from_json(parse_line(text)); })) << text;
      if (round == 0 && read.is_string()) ++refused;
    }
  return refused;
}

TEST(RecordLine, OfAKnownProvenanceDiffersInItsDate) {
  RecordLineReader reader;
  const Record first = reader.read(example("2026-11-20T10:00:00Z").dump());
  const Record second = reader.read(example("2026-11-21T11:00:00Z").dump());
  EXPECT_EQ(first.date, "2026-11-20T10:00:00Z");
  EXPECT_EQ(second.date, "2026-11-21T11:00:00Z");
  EXPECT_EQ(first.provenance.address(), second.provenance.address());
}

TEST(RecordLine, SharesPointsThatAreEqualAndNoOthers) {
  ordered_json number = example("2026-11-20T10:00:00Z"), word = number;
  word["point"]["k"] = "2";
  RecordLineReader reader;
  const Record first = reader.read(number.dump()), second = reader.read(number.dump());
  EXPECT_EQ(&first.state.point.values(), &second.state.point.values());
  EXPECT_EQ(&first.state.problem.values(), &second.state.problem.values());
  EXPECT_EQ(reader.read(word.dump()).state.point.word("k"), "2");
  EXPECT_EQ(reader.read(number.dump()).state.point.integer("k"), 2);
}

TEST(RecordLine, IsReadAsItsJsonIs) {
  ordered_json other = example("2026-11-20T10:00:00Z");
  other["provenance"]["config"] = "b";
  ordered_json facts = example("2026-11-20T10:00:00Z");
  facts["facts"]["text"] = R"(,"provenance":{"date":"no"})";
  EXPECT_EQ(
      expect_read_alike({example("2026-11-20T10:00:00Z"), example("2026-11-20T10:00:01Z"), other, facts}), 0);
}

TEST(RecordLine, WhoseFirstDateIsNotThatOfTheRecordIsReadAsItsJsonIs) {
  std::vector<ordered_json> lines;
  for (const char* built : {"2025", "2026"}) {
    lines.push_back(example("2026-11-20T10:00:00Z"));
    lines.back()["provenance"] = {{"compiler", {{"date", built}}}, {"date", "2026-11-20T10:00:00Z"}};
    lines.push_back(example("2026-11-20T10:00:00Z"));
    lines.back()["provenance"] = {{"compiler", {{"date", built}}}};
  }
  lines.push_back(example("a \"quoted\" one"));
  lines.push_back(example("another \\"));
  lines.push_back(example(""));
  // Refused: the three whose date is none.
  EXPECT_EQ(expect_read_alike(lines), 3);
}

TEST(RecordLine, WhoseProvenanceIsNotItsEndIsReadAsItsJsonIs) {
  ordered_json more = example("2026-11-20T10:00:00Z");
  more["zzz"] = 1;
  ordered_json within = example("2026-11-20T10:00:00Z");
  within["provenance"]["zzz"] = {{"a", 1}, {"provenance", within["provenance"]}};
  EXPECT_EQ(expect_read_alike({more, within, example("2026-11-20T10:00:00Z")}), 1);
}

TEST(RecordLine, ThatIsCutIsRefused) {
  const std::string whole = example("2026-11-20T10:00:00Z").dump();
  RecordLineReader reader;
  reader.read(whole);
  for (std::size_t size = 0; size < whole.size(); size += 7)
    EXPECT_THROW(reader.read(whole.substr(0, size)), UsageError) << size;
  EXPECT_THROW(reader.read(whole + "}"), UsageError);
  EXPECT_THROW(reader.read(whole.substr(1)), UsageError);
}

}  // namespace
}  // namespace gpuseq::results
