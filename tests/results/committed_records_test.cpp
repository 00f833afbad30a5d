#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "results/journal.hpp"
#include "runtime/contract/binding_resource.hpp"
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
    for (std::string line; std::getline(file, line);)
      if (const json read = json::parse(line); read.contains("state")) take(read, entry.path());
  }
}

TEST(CommittedRecords, AreReadByTheReader) {
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "results"))
    if (entry.path().filename() == results::kRecordsFile) {
      EXPECT_NO_THROW(results::Journal::load(entry.path()));
    }
}

TEST(CommittedRecords, NoKernelViolatesItsBound) {
  for_each_record([&](const json& record, const fs::path& path) {
    if (!record["bound"].is_object()) return;
    EXPECT_LE(record["bound"]["fraction"].get<double>(), kViolatedFraction)
        << path << ": " << record["state"];
  });
}

TEST(CommittedRecords, EveryBoundSaysWhatBindsInAWordThatIsKnown) {
  for_each_record([](const json& record, const fs::path& path) {
    if (!record["bound"].is_object()) return;
    const std::string text = record["bound"]["bound_by"];
    const std::optional<BindingResource> bound = parse_bound(text);
    EXPECT_TRUE(bound) << path << ": " << text;
    if (bound) {
      EXPECT_EQ(word(*bound), text) << path;
    }
  });
}

}  // namespace
}  // namespace gpuseq
