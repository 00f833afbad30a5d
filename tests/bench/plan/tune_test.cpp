#include "bench/plan/tune.hpp"

#include <gtest/gtest.h>

#include "runtime/system/random.hpp"
#include "tests/bench/records.hpp"

namespace gpuseq::bench {
namespace {

using testing::kernel_record;

const std::vector<Objective> kRate{Objective{}};

TEST(Tune, RanksByRateWithinFamilyProblemAndDevice) {
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

TEST(Tune, ALuckySweepDoesNotWinOnceThePointsAreMeasuredAgain) {
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

TEST(Tune, WhatAWinnersExtraPassesMeasuredRanksNothing) {
  std::vector records{kernel_record("a", 1, {3e-3}), kernel_record("b", 1, {2e-3})};
  records.push_back(kernel_record("a", 1, {1e-3}, "winner"));
  const auto found = contests(records, kRate);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ranking[0].key.variant, "b");
  EXPECT_DOUBLE_EQ(found[0].ranking[1].score, records[0].statistics->rate);
  EXPECT_EQ(to_remeasure(records, {.objectives = kRate, .remeasure = 1}).at(0).variant, "b");
}

TEST(Tune, FindsTheTrueWinnerUnderNoise) {
  // Ten points 2 % apart, every launch up to 10 % slower than it should be, as on a busy machine.
  Random random(7);
  const auto noisy = [&](double seconds, int samples) {
    std::vector<double> taken;
    for (int i = 0; i < samples; ++i) taken.push_back(seconds * (1 + 0.1 * random.uniform()));
    return taken;
  };
  const TuneOptions options{.objectives = kRate, .remeasure = 3, .rounds = 3};
  int right = 0;
  constexpr int kTrials = 50;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<results::Record> records;
    for (int k = 0; k < 10; ++k) records.push_back(kernel_record("a", k, noisy(1e-3 * (1 + 0.02 * k), 15)));
    for (const auto& key : to_remeasure(records, options))
      for (int round = 0; round < options.rounds; ++round)
        records.push_back(kernel_record(
            "a", key.point.integer("k"),
            noisy(1e-3 * (1 + 0.02 * static_cast<double>(key.point.integer("k"))), 15), "tune", round));
    if (contests(records, kRate)[0].ranking[0].key.point.integer("k") == 0) ++right;
  }
  EXPECT_GE(right, kTrials * 9 / 10);
}

TEST(Tune, MeasuresTheBestAgainJudgedByTheSweepAlone) {
  std::vector records{kernel_record("a", 1, {3e-3}), kernel_record("a", 2, {1e-3}),
                      kernel_record("b", 1, {2e-3})};
  const auto before = to_remeasure(records, {.objectives = kRate, .remeasure = 2, .rounds = 3});
  ASSERT_EQ(before.size(), 2u);
  EXPECT_EQ(before[0].point.integer("k"), 2);
  EXPECT_EQ(before[1].variant, "b");
  records.push_back(kernel_record("a", 2, {9e-3}, "tune"));
  const auto after = to_remeasure(records, {.objectives = kRate, .remeasure = 2, .rounds = 3});
  EXPECT_EQ(after[0].to_string(), before[0].to_string());
  EXPECT_EQ(after[1].to_string(), before[1].to_string());
}

TEST(Tune, WhenTheBestFallsBackThoseBeforeItAreMeasuredAgainToo) {
  std::vector records{kernel_record("lucky", 1, {1e-3}), kernel_record("good", 1, {2e-3}),
                      kernel_record("fair", 1, {3e-3}), kernel_record("poor", 1, {5e-3})};
  const TuneOptions options{.objectives = kRate, .remeasure = 1, .rounds = 2};
  const auto again = [&] {
    std::vector<std::string> variants;
    for (const auto& key : to_remeasure(records, options)) variants.push_back(key.variant);
    return variants;
  };
  const auto measure = [&](const char* variant, double seconds) {
    for (int round = 0; round < options.rounds; ++round)
      records.push_back(kernel_record(variant, 1, {seconds}, "tune", round));
  };
  using Variants = std::vector<std::string>;
  EXPECT_EQ(again(), (Variants{"lucky"}));
  records.push_back(kernel_record("lucky", 1, {4e-3}, "tune", 0));
  EXPECT_EQ(again(), (Variants{"lucky"}));  // a round is left
  records.push_back(kernel_record("lucky", 1, {4e-3}, "tune", 1));
  EXPECT_EQ(again(), (Variants{"lucky", "good"}));
  measure("good", 3.5e-3);
  EXPECT_EQ(again(), (Variants{"lucky", "good", "fair"}));
  measure("fair", 3.1e-3);
  EXPECT_EQ(again(), (Variants{"lucky", "good", "fair"}));  // poor's sweep is no better than that
  EXPECT_EQ(contests(records, kRate)[0].ranking[0].key.variant, "fair");
}

TEST(Tune, AWinnerThatStaysIsTheOnlyOneMeasuredAgain) {
  std::vector records{kernel_record("a", 1, {1e-3}), kernel_record("b", 1, {2e-3}),
                      kernel_record("a", 1, {1.1e-3}, "tune", 0)};
  EXPECT_EQ(to_remeasure(records, {.objectives = kRate, .remeasure = 1, .rounds = 1}).size(), 1u);
}

TEST(Tune, FailedAndUnmeasuredStatesTakeNoPart) {
  std::vector records{kernel_record("a", 1, {3e-3}), kernel_record("a", 2, {1e-3})};
  records[1].status = results::Status::failed;
  EXPECT_EQ(contests(records, kRate)[0].ranking.size(), 1u);
  EXPECT_TRUE(contests({}, kRate).empty());
}

TEST(Tune, AnObjectiveMayBeAFactAndMayBeMinimised) {
  std::vector records{kernel_record("a", 1, {1e-3}), kernel_record("a", 2, {3e-3})};
  records[0].facts["bits_per_base"] = 12.0;
  records[1].facts["bits_per_base"] = 4.0;
  const Objective small{.metric = "bits_per_base", .maximise = false};
  EXPECT_EQ(contests(records, std::vector{small})[0].ranking[0].key.point.integer("k"), 2);
  EXPECT_TRUE(to_remeasure(records, {.objectives = {small}, .remeasure = 3, .rounds = 1}).empty());
  const Objective joules{.metric = "work_per_joule", .maximise = true};
  EXPECT_TRUE(contests(records, std::vector{joules}).empty());
}

/// A record that says what it holds.
results::Record holding(std::uint64_t bytes, results::Record record) {
  record.memory = {HeldMemory{{{"index", bytes}}}, {}};
  return record;
}

TEST(Tune, AWinnerKeepsToTheLimitAndTheBestWithoutItIsNamed) {
  const std::vector records{
      holding(900, kernel_record("large", 1, {1e-3})), holding(200, kernel_record("small", 1, {2e-3})),
      holding(200, kernel_record("slow", 1, {5e-3})), kernel_record("silent", 1, {1.5e-3})};
  const auto found = contests(records, kRate, 500);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].ranking.size(), 2u);  // what does not say what it holds keeps to no limit
  EXPECT_EQ(found[0].ranking[0].key.variant, "small");
  EXPECT_EQ(found[0].without_limit->key.variant, "large");
  EXPECT_EQ(held_bytes(*found[0].least), 200u);
  EXPECT_EQ(contests(records, kRate, 900)[0].ranking[0].key.variant, "large");
  EXPECT_FALSE(contests(records, kRate)[0].without_limit);
}

TEST(Tune, WhereNothingKeepsToTheLimitTheLeastThatThereIsIsKnown) {
  const std::vector records{holding(900, kernel_record("large", 1, {1e-3})),
                            holding(600, kernel_record("smaller", 1, {2e-3}))};
  const auto found = contests(records, kRate, 100);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].ranking.empty());
  EXPECT_EQ(found[0].least->key.variant, "smaller");
  EXPECT_EQ(found[0].without_limit->key.variant, "large");
  const std::vector silent{kernel_record("silent", 1, {1e-3})};
  EXPECT_FALSE(contests(silent, kRate, 100)[0].least);
}

TEST(Tune, WithALimitTheBestOfBothAreMeasuredAgain) {
  std::vector records{
      holding(900, kernel_record("large", 1, {1e-3})), holding(800, kernel_record("large", 2, {1.1e-3})),
      holding(200, kernel_record("small", 1, {2e-3})), holding(100, kernel_record("small", 2, {3e-3}))};
  const TuneOptions options{.objectives = kRate, .remeasure = 1, .rounds = 1, .max_bytes = 500};
  const auto variants_of = [](const std::vector<results::StateKey>& keys) {
    std::vector<std::string> variants;
    for (const auto& key : keys) variants.push_back(key.variant + std::to_string(key.point.integer("k")));
    return variants;
  };
  EXPECT_EQ(variants_of(to_remeasure(records, options)), (std::vector<std::string>{"small1", "large1"}));
  records.push_back(holding(900, kernel_record("large", 1, {1e-3}, "tune")));
  records.push_back(holding(200, kernel_record("small", 1, {2e-3}, "tune")));
  EXPECT_EQ(variants_of(to_remeasure(records, options)), (std::vector<std::string>{"small1", "large1"}));
}

}  // namespace
}  // namespace gpuseq::bench
