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

struct Subject {
  const char *family, *run;
};
constexpr std::array kSubjects{Subject{"fm_index", "fm-index"},
                               Subject{"fm_index", "fm-index-layouts"},
                               Subject{"papara", "papara"},
                               Subject{"profile_hmm", "profile-hmm"},
                               Subject{"pairwise_distance", "pairwise-distance"},
                               Subject{"pairwise_distance", "pairwise-distance-large"},
                               Subject{"exact_match", "exact-match"},
                               Subject{"exact_match", "exact-match-paper"}};

fs::path run_of(const std::string& gpu, const char* run) {
  return source_dir() / "results" / (gpu + "-" + run);
}

/// The contests of the GPUs, as predicted for one by the records of the other.
std::vector<PredictedContest> judged(const Subject& subject, const std::string& from, const std::string& to) {
  const ProbedMachine there = read_probed_machine(run_of(to, "machine"));
  const std::vector<fs::path> runs{run_of(from, subject.run)};
  const Registry registry = make_registry();
  std::vector<PredictedContest> contests = predictions_from(runs, {subject.family}, there, registry);
  std::erase_if(contests, [](const PredictedContest& one) { return one.device_there == "cpu"; });
  judge(contests, records_of_run(run_of(to, subject.run), registry));
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
  for (const Subject& subject : kSubjects) {
    std::size_t judged_contests = 0;
    for (const PredictedContest& contest : judged(subject, from, to)) {
      if (!contest.accuracy) continue;
      regrets[subject.family].push_back(contest.accuracy->regret);
      correlations[subject.family].push_back(contest.accuracy->rank_correlation);
      all.push_back(contest.accuracy->regret);
      ++judged_contests;
    }
    EXPECT_GT(judged_contests, 0u) << subject.run;
  }
  for (const auto& [family, of_family] : regrets) {
    EXPECT_LE(results::median(of_family), 0.05) << family;
    EXPECT_GE(results::median(correlations[family]), 0.8) << family;
  }
  EXPECT_GT(all.size(), 40u);
  EXPECT_LE(results::median(all), 0.01);
}

TEST_P(LeaveOneOut, ASearchThatKnowsItFindsTheBestByATwentiethOfTheSpace) {
  const auto [from, to] = GetParam();
  std::size_t spaces = 0;
  for (const PredictedContest& contest : judged(kSubjects.front(), from, to)) {
    std::vector<results::StateKey> keys;
    std::vector<std::optional<double>> scores, expected;
    for (std::size_t i = 0; i < contest.ranking.size(); ++i) {
      if (!contest.measured[i]) continue;
      keys.push_back(contest.ranking[i].state);
      scores.push_back(contest.measured[i]);
      expected.emplace_back(contest.ranking[i].rate);
    }
    Candidates candidates = candidates_of(keys);
    const std::size_t evaluations = keys.size() / 20;
    const double without = testing::found_by(*make_guided(), candidates, scores, evaluations);
    candidates.expected = expected;
    EXPECT_GT(testing::found_by(*make_guided(), candidates, scores, evaluations), 0.97)
        << contest.problem_label;
    RecordProperty(contest.problem_label + ", without", std::to_string(without));
    ++spaces;
  }
  EXPECT_EQ(spaces, 5u);
}

}  // namespace
}  // namespace gpuseq::bench
