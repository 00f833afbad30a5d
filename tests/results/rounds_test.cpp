#include "results/statistics/rounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "results/statistics/statistics.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::results {
namespace {

/// A record of 1 toy per launch.
Record measured(std::vector<double> samples_s) {
  Record record;
  record.work = {1, "toys"};
  record.samples_s = std::move(samples_s);
  record.statistics = summarise(record.samples_s, record.work, kConfidence, "sample limit");
  return record;
}

Record at_rate(double rate, double spread = 0) {
  std::vector<double> samples;
  for (int i = 0; i < 21; ++i)
    samples.push_back((1 + spread * (i * 8 % 21 - 10) / 10.0) / rate);  // in no order
  return measured(samples);
}

CaseRate rate_of(const std::vector<Record>& records) {
  std::vector<const Record*> all;
  for (const Record& record : records) all.push_back(&record);
  return case_rate(all);
}

TEST(CaseRate, OfOneRoundIsThatOfItsSamples) {
  const Record one = at_rate(100, 0.1);
  const CaseRate rate = rate_of({one});
  EXPECT_EQ(rate.rate, one.statistics->rate);
  EXPECT_EQ(rate.low, one.statistics->rate_low);
  EXPECT_EQ(rate.high, one.statistics->rate_high);
  EXPECT_EQ(rate.confidence, kConfidence);
  EXPECT_EQ(rate.unit, "toys/s");
  const CaseRate of_one_sample = rate_of({measured({0.01})});
  EXPECT_FALSE(of_one_sample.low);
  EXPECT_EQ(of_one_sample.interval_reason, "one sample has no interval");
}

TEST(CaseRate, OfTwoRoundsThatDisagreeReachesOverBoth) {
  const CaseRate rate = rate_of({at_rate(324, 0.01), at_rate(561, 0.01)});
  EXPECT_NEAR(rate.rate, std::sqrt(324.0 * 561.0), 1e-9);
  EXPECT_LE(*rate.low, 324);
  EXPECT_GE(*rate.high, 561);
  EXPECT_EQ(rate.confidence, 0.5);
  EXPECT_EQ(rate.samples, 42u);
}

TEST(CaseRate, OfTwoRoundsThatAgreeKeepsTheirConfidence) {
  const CaseRate rate = rate_of({at_rate(100, 0.1), at_rate(101, 0.1)});
  EXPECT_EQ(rate.confidence, kConfidence);
  EXPECT_LT(*rate.low, 100);
  EXPECT_GT(*rate.high, 101);
}

TEST(CaseRate, CountsEachRoundAlike) {
  const Record slow = at_rate(100), fast = measured({0.005});
  EXPECT_NEAR(rate_of({slow, fast}).rate, std::sqrt(100.0 * 200.0), 1e-9);
}

TEST(CaseRate, ItsIntervalContainsIt) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Record> records;
    const int rounds = 1 + trial % 12;
    for (int i = 0; i < rounds; ++i)
      records.push_back(at_rate(50 + 500 * random.uniform(), random.uniform() / 2));
    const CaseRate rate = rate_of(records);
    EXPECT_LE(*rate.low, rate.rate) << rounds;
    EXPECT_GE(*rate.high, rate.rate) << rounds;
    EXPECT_GE(*rate.confidence, 0.5) << rounds;
  }
}

TEST(CaseRate, IntervalCoversAsOftenAsItSays) {
  Random random(5);
  constexpr int kTrials = 2000;
  for (const int rounds : {3, 5, 10}) {
    int covered = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<Record> records;
      for (int i = 0; i < rounds; ++i) {
        double sum = 0;  // about normal
        for (int j = 0; j < 12; ++j) sum += random.uniform() - 0.5;
        records.push_back(at_rate(100 * std::exp(0.1 * sum)));
      }
      const CaseRate rate = rate_of(records);
      covered += *rate.low <= 100 && 100 <= *rate.high ? 1 : 0;
    }
    EXPECT_GE(covered, kTrials * 93 / 100) << rounds;
  }
}

TEST(CaseRate, RefusesWhatHasNoRate) {
  EXPECT_THROW(rate_of({}), std::invalid_argument);
  Record idle = at_rate(100);
  idle.statistics->rate = 0;
  EXPECT_THROW(rate_of({idle}), std::invalid_argument);
  EXPECT_THROW(rate_of({Record{}}), std::invalid_argument);
}

}  // namespace
}  // namespace gpuseq::results
