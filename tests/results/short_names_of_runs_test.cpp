#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/journal.hpp"
#include "results/names/short_names.hpp"
#include "tests/results/committed_runs.hpp"
#include "tests/source_dir.hpp"

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
  std::vector<LabelledState> states;
  const std::vector<Record> base = records_of(source_dir() / "results/h100-first-look");
  const std::vector<Record> next = records_of(source_dir() / "results/h200");
  add(states, base);
  add(states, next);
  longest_name(states, "h100-first-look and h200");
}

}  // namespace
}  // namespace gpuseq::results
