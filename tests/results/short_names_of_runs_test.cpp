#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/journal.hpp"
#include "results/names/short_names.hpp"
#include "tests/results/committed_runs.hpp"

namespace gpuseq::results {
namespace {

constexpr std::size_t kLongest = 180;  // of a key 470
/// A kernel as published differs from its variant's default in up to eleven axes, and its name says in which.
constexpr std::size_t kLongestOfLadders = 210;

std::vector<Record> records_of(const std::filesystem::path& dir) {
  return Journal::load(dir / kRecordsFile);
}

void add(std::vector<LabelledState>& states, const std::vector<Record>& records) {
  for (const Record& record : records) states.push_back({&record.state, record.problem_label});
}

/// Expects that every state has a name of its own. @returns the longest
std::string longest_name(const std::vector<LabelledState>& states, const std::string& run) {
  const ShortNames names(states);
  std::map<std::string, std::string> key_of;
  std::string longest;
  for (const LabelledState& state : states) {
    const std::string name = names.of(*state.key), key = state.key->to_string();
    const auto [place, is_new] = key_of.emplace(name, key);
    EXPECT_EQ(place->second, key) << run << ": both are " << name;
    if (is_new && name.size() > longest.size()) longest = name;
  }
  return longest;
}

TEST(ShortNames, AreShortAndOneAStateInEveryCommittedRun) {
  for (const std::filesystem::path& dir : committed_runs()) {
    const std::vector<Record> records = records_of(dir);
    std::vector<LabelledState> states;
    add(states, records);
    const std::string run = dir.filename(), longest = longest_name(states, run);
    EXPECT_LE(longest.size(), run.ends_with("-ladder") ? kLongestOfLadders : kLongest)
        << run << ": " << longest;
  }
}

TEST(ShortNames, AreOneAStateOfTwoDevicesRunsTogether) {
  for (const std::filesystem::path& dir : committed_runs()) {
    const std::string name = dir.filename();
    if (!name.starts_with("h100-")) continue;
    const std::filesystem::path other =
        dir.parent_path() / (name == "h100-machine" ? "h200" : "h200" + name.substr(4));
    ASSERT_TRUE(std::filesystem::exists(other / "records.jsonl")) << other;
    const std::vector<Record> base = records_of(dir), next = records_of(other);
    std::vector<LabelledState> states;
    add(states, base);
    add(states, next);
    longest_name(states, name + " and " + other.filename().string());
  }
}

}  // namespace
}  // namespace gpuseq::results
