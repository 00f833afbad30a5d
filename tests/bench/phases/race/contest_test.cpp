#include "bench/phases/race/contest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/system/random.hpp"
#include "tests/bench/records.hpp"

namespace gpuseq::bench {
namespace {

using testing::kernel_record;

TuneOptions options_of(std::optional<std::uint64_t> max_bytes = {}) {
  TuneOptions options;
  options.limits.bytes = max_bytes;
  return options;
}

const TuneOptions kRate;

TEST(Contests, RanksByRateWithinFamilyProblemAndDevice) {
  std::vector records{kernel_record("a", 1, {3e-3}), kernel_record("a", 2, {1e-3}),
                      kernel_record("b", 1, {2e-3})};
  records.push_back(kernel_record("b", 2, {9e-3}));
  records.back().state.device = "cuda:0";
  const auto found = contests(records, kRate);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].ranking[0].key.point.integer("k"), 2);
  EXPECT_EQ(found[0].ranking[1].key.variant, "b");
  EXPECT_EQ(found[0].ranking[2].key.variant, "a");
  EXPECT_EQ(found[1].device, "cuda:0");
}

TEST(Contests, ALuckySweepDoesNotWinOnceThePointsAreMeasuredAgain) {
  std::vector records{kernel_record("lucky", 1, {1e-3}), kernel_record("good", 1, {2e-3}),
                      kernel_record("poor", 1, {5e-3})};
  for (int round = 0; round < 3; ++round) {
    records.push_back(kernel_record("lucky", 1, {4e-3}, "tune", round));
    records.push_back(kernel_record("good", 1, {2.1e-3}, "tune", round));
  }
  const auto found = contests(records, kRate);
  EXPECT_EQ(found[0].ranking[0].key.variant, "good");
  EXPECT_EQ(found[0].ranking[1].key.variant, "lucky");
  EXPECT_EQ(found[0].ranking[2].key.variant, "poor");
  EXPECT_EQ(found[0].ranking[0].typical->phase, "tune");
}

TEST(Contests, WhatAWinnersExtraPassesMeasuredRanksNothing) {
  std::vector records{kernel_record("a", 1, {3e-3}), kernel_record("b", 1, {2e-3})};
  records.push_back(kernel_record("a", 1, {1e-3}, "winner"));
  const auto found = contests(records, kRate);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ranking[0].key.variant, "b");
  EXPECT_DOUBLE_EQ(found[0].ranking[1].score, records[0].statistics->rate);
  EXPECT_EQ(next_round(records, {.remeasure = 1}).at(0).key.variant, "b");
}

TEST(Contests, FindsTheTrueWinnerUnderNoise) {
  // Ten points 2 % apart, every launch up to 10 % slower than it should be, as on a busy machine.
  Random random(7);
  const auto noisy = [&](std::int64_t k, int samples) {
    std::vector<double> taken;
    for (int i = 0; i < samples; ++i)
      taken.push_back(1e-3 * (1 + 0.02 * static_cast<double>(k)) * (1 + 0.1 * random.uniform()));
    return taken;
  };
  int right = 0;
  constexpr int kTrials = 50;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<results::Record> records;
    for (int k = 0; k < 10; ++k) records.push_back(kernel_record("a", k, noisy(k, 15)));
    for (auto next = next_round(records, kRate); !next.empty(); next = next_round(records, kRate))
      for (const auto& [key, round] : next) {
        const std::int64_t k = key.point.integer("k");
        records.push_back(kernel_record("a", k, noisy(k, 15), "tune", round));
      }
    const auto found = contests(records, kRate);
    const auto is_tied = [&](std::size_t i) { return found[0].ranking[i].key.point.integer("k") == 0; };
    for (std::size_t i = 0; i < found[0].tied; ++i) right += is_tied(i) ? 1 : 0;
    EXPECT_LE(found[0].tied, 3u);
  }
  EXPECT_GE(right, kTrials * 9 / 10);
}

using Asked = std::vector<std::string>;

/// The variants of the next round, with its number before them.
Asked asked(const std::vector<results::Record>& records, const TuneOptions& options) {
  Asked found;
  for (const auto& [key, round] : next_round(records, options))
    found.push_back(std::to_string(round) + " " + key.variant);
  return found;
}

TEST(Contests, TheBestRaceInRoundsJudgedByTheSweep) {
  std::vector records{kernel_record("a", 1, {3e-3}), kernel_record("b", 2, {1e-3}),
                      kernel_record("c", 1, {2e-3})};
  const TuneOptions options{.remeasure = 2};
  EXPECT_EQ(asked(records, options), (Asked{"0 b", "0 c"}));
  records.push_back(kernel_record("b", 2, {1e-3}, "tune", 0));
  EXPECT_EQ(asked(records, options), (Asked{"0 b", "0 c"}));  // a round that was cut off is asked for again
  records.push_back(kernel_record("c", 1, {2e-3}, "tune", 0));
  EXPECT_EQ(asked(records, options), (Asked{"1 b", "1 c"}));
  EXPECT_TRUE(asked(records, {.remeasure = 0}).empty());
}

TEST(Contests, WhenTheBestFallsBackThoseBeforeItRaceToo) {
  std::vector records{kernel_record("lucky", 1, {1e-3}), kernel_record("good", 1, {2e-3}),
                      kernel_record("fair", 1, {3e-3}), kernel_record("poor", 1, {5e-3})};
  const TuneOptions options{.remeasure = 1};
  EXPECT_EQ(asked(records, options), (Asked{"0 lucky"}));
  records.push_back(kernel_record("lucky", 1, {4e-3}, "tune", 0));
  EXPECT_EQ(asked(records, options), (Asked{"1 lucky", "1 good"}));
  for (int round = 1; round <= 3; ++round) {
    records.push_back(kernel_record("lucky", 1, {4e-3}, "tune", round));
    records.push_back(kernel_record("good", 1, {2.1e-3}, "tune", round));
  }
  EXPECT_TRUE(asked(records, options).empty());
  const Contest contest = contests(records, options).at(0);
  EXPECT_EQ(contest.ranking[0].key.variant, "good");
  EXPECT_EQ(contest.tied, 1u);
  EXPECT_EQ(contest.raced, 2u);
  EXPECT_EQ(contest.rounds, 4);
}

TEST(Contests, OneWhomNobodyRacesIsMeasuredThreeTimes) {
  std::vector records{kernel_record("a", 1, {1e-3}), kernel_record("b", 1, {2e-3})};
  const TuneOptions options{.remeasure = 1};
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(asked(records, options), (Asked{std::to_string(round) + " a"}));
    records.push_back(kernel_record("a", 1, {1.1e-3}, "tune", round));
  }
  EXPECT_TRUE(asked(records, options).empty());
}

TEST(Contests, WithRepetitionsARoundIsWholeOnceAllAreThere) {
  std::vector records{kernel_record("a", 1, {1e-3})};
  const TuneOptions options{.remeasure = 1, .repetitions = 2};
  records.push_back(kernel_record("a", 1, {1e-3}, "tune", 0));
  EXPECT_EQ(asked(records, options), (Asked{"0 a"}));
  records.push_back(kernel_record("a", 1, {1e-3}, "tune", 1));
  EXPECT_EQ(asked(records, options), (Asked{"1 a"}));
}

TEST(Contests, AStateThatFailsInTheRaceIsOut) {
  std::vector records{kernel_record("a", 1, {1e-3}), kernel_record("b", 1, {2e-3})};
  for (int round = 0; round < 3; ++round) records.push_back(kernel_record("b", 1, {2e-3}, "tune", round));
  records.push_back(kernel_record("a", 1, {1e-3}, "tune", 0));
  records.back().status = results::Status::failed;
  const TuneOptions options{.remeasure = 2};
  EXPECT_TRUE(asked(records, options).empty());
  EXPECT_EQ(contests(records, options).at(0).ranking[0].key.variant, "b");
}

TEST(Contests, FailedAndUnmeasuredStatesTakeNoPart) {
  std::vector records{kernel_record("a", 1, {3e-3}), kernel_record("a", 2, {1e-3})};
  records[1].status = results::Status::failed;
  EXPECT_EQ(contests(records, kRate)[0].ranking.size(), 1u);
  EXPECT_TRUE(contests({}, kRate).empty());
}

TEST(Contests, AnObjectiveMayBeAFactAndMayBeMinimised) {
  std::vector records{kernel_record("a", 1, {1e-3}), kernel_record("a", 2, {3e-3})};
  records[0].facts["bits_per_base"] = 12.0;
  records[1].facts["bits_per_base"] = 4.0;
  const Objective small{.metric = "bits_per_base", .maximise = false};
  EXPECT_EQ(contests(records, {.objectives = {small}})[0].ranking[0].key.point.integer("k"), 2);
  EXPECT_TRUE(next_round(records, {.objectives = {small}}).empty());  // counted, so not noisy
  const Objective joules{.metric = "work_per_joule", .maximise = true};
  EXPECT_TRUE(contests(records, {.objectives = {joules}}).empty());
}

/// A candidate that two rounds measured at such rates, 100 toys per launch.
void add_rounds(std::vector<results::Record>& records, const char* variant, std::uint64_t bytes,
                const std::vector<double>& rates) {
  for (int round = 0; round < static_cast<int>(rates.size()); ++round) {
    const double seconds = 100 / rates[static_cast<std::size_t>(round)];
    records.push_back(kernel_record(variant, 1, std::vector<double>(20, seconds), "tune", round));
    records.back().memory = {HeldMemory{{{"index", bytes}}}, {}};
  }
}

TEST(Contests, AWinnersRateIsOverAllRounds) {
  std::vector records{kernel_record("a", 1, {1e-3})};
  add_rounds(records, "a", 8, {324e6, 561e6});
  const Candidate winner = contests(records, {.remeasure = 1, .rounds = 2}).at(0).ranking.at(0);
  EXPECT_NEAR(winner.rate.rate, std::sqrt(324e6 * 561e6), 1);
  EXPECT_DOUBLE_EQ(winner.score, winner.rate.rate);
  EXPECT_EQ(winner.rate.rounds, 2u);
  EXPECT_NEAR(*winner.rate.low, 324e6, 1);
  EXPECT_NEAR(*winner.rate.high, 561e6, 1);
  EXPECT_EQ(winner.rate.confidence, 0.5);  // the rounds disagree
}

TEST(Contests, TheListIsInTheOrderOfTheChoice) {
  // Noise of whole rounds: the second is almost twice as fast, and "c" was measured in the slow one alone.
  std::vector records{kernel_record("a", 1, {1e-6}), kernel_record("b", 1, {1.01e-6}),
                      kernel_record("c", 1, {1.02e-6}), kernel_record("d", 1, {1.5e-6})};
  add_rounds(records, "a", 800, {324e6, 561e6, 330e6});
  add_rounds(records, "b", 100, {300e6, 530e6, 305e6});
  add_rounds(records, "c", 100, {310e6, 540e6, 315e6});
  const auto& ranking = contests(records, {.remeasure = 3, .rounds = 3}).at(0).ranking;
  ASSERT_EQ(ranking.size(), 4u);
  std::string order;
  for (const Candidate& one : ranking) order += one.key.variant;
  EXPECT_EQ(order, "acbd");
  EXPECT_EQ(ranking[0].share_of_winner, 1);
  for (std::size_t i = 1; i < ranking.size(); ++i)
    EXPECT_LT(ranking[i].share_of_winner, ranking[i - 1].share_of_winner) << i;
  EXPECT_NEAR(ranking[1].share_of_winner, 0.958, 0.002);
  EXPECT_NEAR(ranking[3].share_of_winner, 1 / 1.5, 0.001) << "in the sweep, which alone both have";
}

TEST(Contests, RunnersUpAreComparedInCommonRounds) {
  std::vector records{kernel_record("a", 1, {1e-6}), kernel_record("b", 1, {1.01e-6}),
                      kernel_record("c", 1, {1.02e-6})};
  // "c" is dropped after three rounds, behind which the machine is slower.
  add_rounds(records, "a", 800, {500e6, 502e6, 501e6, 250e6, 251e6, 250e6});
  add_rounds(records, "b", 800, {499e6, 503e6, 500e6, 249e6, 252e6, 249e6});
  add_rounds(records, "c", 800, {400e6, 401e6, 400e6});
  const Contest contest = contests(records, {.remeasure = 3, .rounds = 6}).at(0);
  ASSERT_EQ(contest.ranking.back().key.variant, "c");
  EXPECT_GT(contest.ranking.back().rate.rate, contest.ranking.front().rate.rate);
  EXPECT_NEAR(contest.ranking.back().share_of_winner, 0.8, 0.01);
}

TEST(Contests, WhatHasNoRateTakesNoPart) {
  std::vector records{kernel_record("a", 1, {1e-3}), kernel_record("b", 1, {2e-3})};
  for (results::Record& record : records) {
    record.work.amount = 0;
    record.statistics = results::summarise(record.samples_s, record.work, 0.95, "sample limit");
    record.facts = {{"build_s", 0.5}};
  }
  const TuneOptions by_wait{.objectives = {{.metric = "time_to_solution_s", .maximise = false}}};
  for (const TuneOptions& options : {kRate, by_wait}) {
    EXPECT_TRUE(contests(records, options).empty());
    EXPECT_TRUE(next_round(records, options).empty());
  }
}

/// A record with its memory footprint.
results::Record holding(std::uint64_t bytes, results::Record record) {
  record.memory = {HeldMemory{{{"index", bytes}}}, {}};
  return record;
}

TEST(Contests, AWinnerKeepsToTheLimitAndTheBestWithoutItIsNamed) {
  const std::vector records{
      holding(900, kernel_record("large", 1, {1e-3})), holding(200, kernel_record("small", 1, {2e-3})),
      holding(200, kernel_record("slow", 1, {5e-3})), kernel_record("silent", 1, {1.5e-3})};
  const auto found = contests(records, options_of(500));
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].ranking.size(), 2u);  // an unknown footprint keeps to no limit
  EXPECT_EQ(found[0].ranking[0].key.variant, "small");
  EXPECT_EQ(found[0].without_limit->key.variant, "large");
  EXPECT_EQ(held_bytes(*found[0].least), 200u);
  EXPECT_EQ(contests(records, options_of(900))[0].ranking[0].key.variant, "large");
  EXPECT_FALSE(contests(records, kRate)[0].without_limit);
}

TEST(Contests, WhereNothingKeepsToTheLimitTheLeastThatThereIsIsKnown) {
  const std::vector records{holding(900, kernel_record("large", 1, {1e-3})),
                            holding(600, kernel_record("smaller", 1, {2e-3}))};
  const auto found = contests(records, options_of(100));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].ranking.empty());
  EXPECT_EQ(found[0].least->key.variant, "smaller");
  EXPECT_EQ(found[0].without_limit->key.variant, "large");
  const std::vector silent{kernel_record("silent", 1, {1e-3})};
  EXPECT_FALSE(contests(silent, options_of(100))[0].least);
}

TEST(Contests, WithALimitTheBestOfBothRace) {
  std::vector records{
      holding(900, kernel_record("large", 1, {1e-3})), holding(800, kernel_record("larger", 2, {1.1e-3})),
      holding(200, kernel_record("small", 1, {2e-3})), holding(100, kernel_record("smaller", 2, {3e-3}))};
  const TuneOptions options{.remeasure = 1, .limits = {.bytes = 500}};
  EXPECT_EQ(asked(records, options), (Asked{"0 small", "0 large"}));
  records.push_back(holding(900, kernel_record("large", 1, {1e-3}, "tune")));
  records.push_back(holding(200, kernel_record("small", 1, {2e-3}, "tune")));
  EXPECT_EQ(asked(records, options), (Asked{"1 small", "1 large"}));
}

TEST(Contests, ATieGoesToTheLeastMemory) {
  std::vector records{holding(900, kernel_record("large", 1, {1e-3})),
                      holding(200, kernel_record("small", 1, {1.001e-3})), kernel_record("silent", 1, {1e-3}),
                      holding(100, kernel_record("slow", 1, {2e-3}))};
  const double large[] = {1e-3, 1.02e-3, 1e-3}, small[] = {1.01e-3, 1e-3, 1.01e-3};
  for (int round = 0; round < 3; ++round) {
    records.push_back(holding(900, kernel_record("large", 1, {large[round]}, "tune", round)));
    records.push_back(holding(200, kernel_record("small", 1, {small[round]}, "tune", round)));
    records.push_back(kernel_record("silent", 1, {large[2 - round]}, "tune", round));
  }
  const Contest contest = contests(records, kRate).at(0);
  EXPECT_EQ(contest.tied, 3u);
  EXPECT_EQ(contest.ranking[0].key.variant, "small");
  EXPECT_EQ(contest.ranking[1].key.variant, "large");
  EXPECT_EQ(contest.ranking[2].key.variant, "silent");  // its footprint is unknown
  EXPECT_EQ(contest.ranking[3].key.variant, "slow");
}

TEST(Contests, LessMemoryDoesNotWinOverACandidateThatIsATenthFaster) {
  // Rounds are noisy: the race does not distinguish the two.
  std::vector records{holding(900, kernel_record("large", 1, {1e-3})),
                      holding(200, kernel_record("small", 1, {1.1e-3}))};
  const double large[] = {1e-3, 1.4e-3, 1e-3}, small[] = {1.5e-3, 1.1e-3, 1.2e-3};
  for (int round = 0; round < 3; ++round) {
    records.push_back(holding(900, kernel_record("large", 1, {large[round]}, "tune", round)));
    records.push_back(holding(200, kernel_record("small", 1, {small[round]}, "tune", round)));
  }
  const Contest contest = contests(records, kRate).at(0);
  EXPECT_EQ(contest.tied, 1u);
  EXPECT_EQ(contest.raced, 2u);
  EXPECT_EQ(contest.ranking[0].key.variant, "large");
  EXPECT_LT(contest.ranking[1].share_of_winner, 0.95);
}

TEST(Contests, RanksByMemoryAndBetweenEqualsByRate) {
  const std::vector records{
      holding(200, kernel_record("slow", 1, {2e-3})), holding(200, kernel_record("fast", 1, {1e-3})),
      holding(900, kernel_record("large", 1, {1e-4})), kernel_record("silent", 1, {1e-5})};
  const auto found = contests(records, {.objectives = {{.metric = "memory_bytes", .maximise = false}}});
  ASSERT_EQ(found.at(0).ranking.size(), 3u);
  EXPECT_EQ(found[0].ranking[0].key.variant, "fast");
  EXPECT_EQ(found[0].ranking[1].key.variant, "slow");
  EXPECT_EQ(found[0].ranking[2].score, 900);
}

TEST(Contests, RanksByWhatAUserWaitsFor) {
  std::vector records{kernel_record("fast", 1, {1e-3}), kernel_record("ready", 1, {5e-3})};
  records[0].facts = {{"build_s", 0.5}};
  records[1].facts = {{"build_s", 0.1}};
  const auto found = contests(records, {.objectives = {{.metric = "time_to_solution_s", .maximise = false}}});
  EXPECT_EQ(found.at(0).ranking[0].key.variant, "ready");
  EXPECT_DOUBLE_EQ(found[0].ranking[0].score, 0.105);
}

}  // namespace
}  // namespace gpuseq::bench
