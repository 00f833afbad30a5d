#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/comparison/load_side.hpp"
#include "reports/comparison/words.hpp"
#include "results/names/short_names.hpp"
#include "tests/reports/committed_runs.hpp"

namespace gpuseq::comparison {
namespace {

constexpr std::size_t kLongest = 180;  // of a key 470
/// A kernel as published differs from its variant's default in up to eleven axes, and its name says in which.
constexpr std::size_t kLongestOfLadders = 210;

void add(std::vector<results::LabelledState>& states, const Side& side) {
  for (const auto& process : side.processes)
    for (const ComparedRecord& record : process) states.push_back({&record.state, record.problem_label});
}

/// Expects that every state has a name of its own. @returns the longest
std::string longest_name(const std::vector<results::LabelledState>& states, const std::string& run) {
  const results::ShortNames names(states);
  std::map<std::string, std::string> key_of;
  std::string longest;
  for (const results::LabelledState& state : states) {
    const std::string name = names.of(*state.key), key = state.key->to_string();
    const auto [place, is_new] = key_of.emplace(name, key);
    EXPECT_EQ(place->second, key) << run << ": both are " << name;
    if (is_new && name.size() > longest.size()) longest = name;
  }
  return longest;
}

TEST(ShortNames, AreShortAndOneAStateInEveryCommittedRun) {
  for (const std::filesystem::path& dir : reports::committed_runs()) {
    const Side side = load_side(dir);
    std::vector<results::LabelledState> states;
    add(states, side);
    const std::string run = dir.filename(), longest = longest_name(states, run);
    EXPECT_LE(longest.size(), run.ends_with("-ladder") ? kLongestOfLadders : kLongest)
        << run << ": " << longest;
  }
}

TEST(ShortNames, AreOneAStateOfTwoDevicesRunsTogether) {
  for (const std::filesystem::path& dir : reports::committed_runs()) {
    const std::string name = dir.filename();
    const std::filesystem::path other =
        dir.parent_path() / ("h200" + name.substr(std::min<std::size_t>(4, name.size())));
    if (!name.starts_with("h100-") || !std::filesystem::exists(other / "records.jsonl")) continue;
    const Side base = load_side(dir), next = load_side(other);
    std::vector<results::LabelledState> states;
    add(states, base);
    add(states, next);
    longest_name(states, name + " and " + other.filename().string());
  }
}

TEST(ShortNames, MergeNoStatesOfAComparison) {
  const auto results = source_dir() / "results";
  const Comparison comparison =
      compare(load_side(results / "h100-papara"), load_side(results / "h200-papara"),
              {.allowed = {.device = true, .driver = true, .problem = true}});
  const results::ShortNames names = names_of(comparison);
  std::set<std::string> distinct;
  for (const StateComparison& state : comparison.states) distinct.insert(names.of(state.state));
  EXPECT_GT(distinct.size(), 70u);
  EXPECT_EQ(distinct.size(), comparison.states.size());
}

}  // namespace
}  // namespace gpuseq::comparison
