#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "results/journal.hpp"
#include "runtime/contract/bound.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Hands over each committed record.
template <typename Take>
void for_each_record(const Take& take) {
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "results")) {
    if (entry.path().filename() != "records.jsonl") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) take(json::parse(line), entry.path());
  }
}

TEST(CommittedRecords, AreReadByTheReader) {
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "results"))
    if (entry.path().filename() == results::kRecordsFile) {
      EXPECT_NO_THROW(results::Journal::load(entry.path()));
    }
}

TEST(CommittedRecords, NoKernelRefutesItsCeiling) {
  int of_first_schema = 0;
  for_each_record([&](const json& record, const fs::path& path) {
    if (!record["ceiling"].is_object()) return;
    const double fraction = record["ceiling"]["fraction"].get<double>();
    if (fraction <= kRefutedFraction) return;
    if (record["schema_version"].get<int>() < 2)
      ++of_first_schema;
    else
      ADD_FAILURE() << path << ": " << record["state"] << " reaches " << fraction << " of its ceiling";
  });
  RecordProperty("refuted_of_schema_1", of_first_schema);
  std::cout << of_first_schema << " records of schema_version 1 refute theirs\n";
}

TEST(CommittedRecords, EveryCeilingSaysWhatBindsInAWordThatIsKnown) {
  for_each_record([](const json& record, const fs::path& path) {
    if (!record["ceiling"].is_object()) return;
    const std::string text = record["ceiling"]["bound_by"];
    const std::optional<Bound> bound = parse_bound(text);
    EXPECT_TRUE(bound) << path << ": " << text;
    if (bound && record["schema_version"].get<int>() >= 2) {
      EXPECT_EQ(word(*bound), text) << path;
    }
  });
}

}  // namespace
}  // namespace gpuseq
