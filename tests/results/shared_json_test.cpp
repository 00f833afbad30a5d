#include "results/shared_json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "results/journal.hpp"
#include "results/reading/provenances.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::json;

TEST(SharedJson, CopiesAreOneInMemoryUntilOneIsChanged) {
  SharedJson a = {{"k", 1}, {"d", 64}}, b = a;
  EXPECT_EQ(a.address(), b.address());
  b["k"] = 2;
  EXPECT_EQ(*a, json({{"k", 1}, {"d", 64}}));
  EXPECT_EQ(*b, json({{"k", 2}, {"d", 64}}));
}

TEST(JsonPool, MakesEqualValuesOneAndKeepsApartWhatIsWrittenDifferently) {
  JsonPool pool;
  const auto address = [&](const char* text) { return pool.share(json::parse(text)).address(); };
  EXPECT_EQ(address(R"({"a": [1, "x", {"b": null}], "c": 1.5})"),
            address(R"({"c": 1.5, "a": [1, "x", {"b": null}]})"));
  const std::vector<const char*> different{R"({"a": 1})",     R"({"a": 1.0})",  R"({"a": -1})",
                                           R"({"a": 0.0})",   R"({"a": -0.0})", R"({"a": [1]})",
                                           R"({"a": [1.0]})", R"({"b": 1})",    R"({"a": true})",
                                           R"({})",           "null",           "[]"};
  std::set<const json*> addresses;
  for (const char* text : different) addresses.insert(address(text));
  EXPECT_EQ(addresses.size(), different.size());
}

class RecordsInMemory : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(journal_); }
  const std::filesystem::path journal_ =
      std::filesystem::temp_directory_path() / fmt::format("records_in_memory.{}.jsonl", getpid());
};

TEST_F(RecordsInMemory, OfOneRunShareFactsAndProvenanceWhateverTheirDates) {
  std::vector<Record> records(3, full_record());
  records[0].date = "2026-11-20T10:00:00Z";
  records[1].date = "2026-11-20T10:00:01Z";
  std::ofstream(journal_) << lines_of(records);
  const std::vector<Record> read = Journal::load(journal_);
  ASSERT_EQ(read.size(), 3u);
  for (const Record& one : read) {
    EXPECT_EQ(one.facts.address(), read.front().facts.address());
    EXPECT_EQ(one.provenance.address(), read.front().provenance.address());
  }
  EXPECT_EQ(read[1].date, "2026-11-20T10:00:01Z");
}

TEST_F(RecordsInMemory, AreWrittenAsTheyWereRead) {
  Record record = full_record();
  record.date = "2026-11-20T10:00:00Z";
  const std::string line = to_json(record).dump();
  EXPECT_EQ(to_json(record_from_json(json::parse(line))).dump(), line);
}

}  // namespace
}  // namespace gpuseq::results
