#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "bench/phases/predict/expected_rates.hpp"
#include "bench/phases/predict/records_of_run.hpp"
#include "results/statistics/statistics.hpp"
#include "tests/bench/phases/search/spaces.hpp"
#include "tests/source_dir.hpp"

// From the records of one GPU and the probes of another to the best
// points of the other: the measurements of both are committed.

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using testing::candidates_of;

constexpr std::array kFamilies{"fm_index", "papara", "profile_hmm", "pairwise_distance", "exact_match"};

/// The fastest configurations of older runs of a GPU model, by variant and problem.
fs::path rows_of(const std::string& gpu) {
  return source_dir() / "configs/machine" / (gpu + "-2026-11");
}

/// Contests of a family on a GPU, as predicted from the rows of another.
std::vector<PredictedContest> judged(const std::string& family, const std::string& from,
                                     const std::string& to) {
  const fs::path machine = source_dir() / "results" / (to == "h100" ? "h100-first-look" : "h200");
  const ProbedMachine there = read_probed_machine(machine);
  const std::vector<fs::path> runs{rows_of(from)};
  const Registry registry = make_registry();
  std::vector<PredictedContest> contests = predictions_from(runs, {family}, there, registry);
  std::erase_if(contests, [](const PredictedContest& one) { return one.device_there == "cpu"; });
  judge(contests, records_of_run(rows_of(to), registry));
  return contests;
}

class LeaveOneOut : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

INSTANTIATE_TEST_SUITE_P(Gpus, LeaveOneOut,
                         ::testing::Values(std::pair("h200", "h100"), std::pair("h100", "h200")),
                         [](const auto& test) { return std::string(test.param.second); });

TEST_P(LeaveOneOut, FindsTheBestPointsOfAGpuThatRanNothing) {
  const auto [from, to] = GetParam();
  std::vector<double> all;
  // All contests of a family together: its runs have two to fifteen.
  std::map<std::string, std::vector<double>> regrets, correlations;
  for (const std::string family : kFamilies) {
    for (const PredictedContest& contest : judged(family, from, to)) {
      if (!contest.accuracy) continue;
      regrets[family].push_back(contest.accuracy->regret);
      correlations[family].push_back(contest.accuracy->rank_correlation);
      all.push_back(contest.accuracy->regret);
    }
    EXPECT_FALSE(regrets[family].empty()) << family;
  }
  for (const auto& [family, of_family] : regrets) {
    EXPECT_LE(results::median(of_family), 0.05) << family;
    EXPECT_GE(results::median(correlations[family]), 0.8) << family;
  }
  EXPECT_GT(all.size(), 40u);
  EXPECT_LE(results::median(all), 0.01);
}

}  // namespace
}  // namespace gpuseq::bench
