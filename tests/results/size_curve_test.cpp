#include "results/size_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "results/statistics/statistics.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::results {
namespace {

/// A record on the way: a launch takes `start_s` and its work over `rate`.
Record sized(const std::string& device, std::int64_t size, double start_s, double rate) {
  Record record;
  record.state = {"toy", "steady", {{"size", size}, {"colour", "red"}}, {}, device};
  record.kind = "kernel";
  record.phase = "size";
  record.size = ProblemSize{.axis = "size", .noun = "toys", .value = size};
  record.work = {static_cast<double>(size), "toys"};
  const double seconds = start_s + record.work.amount / rate;
  record.samples_s = {seconds, seconds, seconds};
  record.statistics = summarise(record.samples_s, record.work, kConfidence, "sample limit");
  return record;
}

std::vector<Record> curve(const std::string& device, const std::vector<std::int64_t>& sizes, double start_s,
                          double rate) {
  std::vector<Record> records;
  for (const std::int64_t size : sizes) records.push_back(sized(device, size, start_s, rate));
  return records;
}

const std::vector<std::int64_t> kSizes{1000, 4000, 16000, 64000, 256000};

SizeCurve only(const std::vector<Record>& records) {
  return sized_problems(std::span(records)).at(0).curves.at(0);
}

TEST(SizeCurve, HasTheFastestVariantOfEachSizeByProblemAndDevice) {
  std::vector<Record> records = curve("cpu", {1000, 4000}, 0, 1e5);
  for (Record& slow : curve("cpu", {4000}, 0, 1e4)) records.push_back(slow);
  for (Record& gpu : curve("cuda:0", {1000}, 0, 1e6)) records.push_back(gpu);
  records.push_back(records.front());
  records.back().state.problem.set("colour", std::string("blue"));
  records.push_back(records.front());
  records.back().phase = "sweep";
  const auto problems = sized_problems(std::span(std::as_const(records)));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].fixed.to_string(), "colour=red");
  EXPECT_EQ(problems[0].rate_unit, "toys/s");
  ASSERT_EQ(problems[0].curves.size(), 2u);
  ASSERT_EQ(problems[0].curves[0].points.size(), 2u);
  EXPECT_NEAR(problems[0].curves[0].points[1].rate, 1e5, 1);
}

TEST(SizeCurve, IsSettledOnceTheLastStepHardlyChangesItsRate) {
  const auto at = [](std::int64_t last) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = 1000; size <= last; size *= 4) sizes.push_back(size);
    return is_settled(only(curve("cuda:0", sizes, 0.1, 1e5)));  // n_1/2 is 10 000
  };
  EXPECT_FALSE(at(1000));
  EXPECT_FALSE(at(256000));  // from 64 000 by 11 %
  EXPECT_TRUE(at(1024000));  // by 2.9 %
}

TEST(SizeCurve, IsNotSettledByLaunchesThatShowStartUpAndCaches) {
  EXPECT_FALSE(is_settled(only(curve("cpu", {1000, 4000}, 0, 1e7))));
  EXPECT_TRUE(is_settled(only(curve("cpu", {1000, 4000}, 0, 1e5))));
}

TEST(SizeCurve, IsSettledWhereTwoMoreSizesBringNothing) {
  std::vector<Record> records;
  for (const auto& [size, rate] : {std::pair{1000, 1e5}, {4000, 8e4}, {16000, 9e4}})
    records.push_back(sized("cpu", size, 0, rate));
  EXPECT_TRUE(is_settled(only(records)));
  records.pop_back();
  EXPECT_FALSE(is_settled(only(records)));
  records.push_back(sized("cpu", 16000, 0, 1.2e5));
  EXPECT_FALSE(is_settled(only(records)));
}

TEST(SizeCurve, ItsHalfSizeIsThatOfTheLawWithTheSizesAroundIt) {
  const auto half = half_size(only(curve("cuda:0", {1000, 4000, 16000, 64000, 256000, 1024000}, 0.1, 1e5)));
  ASSERT_TRUE(half.value) << half.reason;
  EXPECT_NEAR(half.value->size, 10000, 1);
  EXPECT_NEAR(half.value->rate, 1e5, 1);
  EXPECT_EQ(half.value->low, 4000);
  EXPECT_EQ(half.value->high, 16000);
  EXPECT_FALSE(half.value->below);
}

TEST(SizeCurve, ItsHalfSizeIsASizeWhereWorkGrowsWithTheSquare) {
  std::vector<Record> records = curve("cuda:0", {1000, 4000, 16000, 64000, 256000, 1024000}, 0.1, 1e5);
  for (Record& record : records) {
    record.size->value = std::llround(std::sqrt(record.work.amount));
    record.state.problem.set("size", record.size->value);
  }
  const auto half = half_size(only(records));
  ASSERT_TRUE(half.value) << half.reason;
  EXPECT_NEAR(half.value->size, 100, 1);
  EXPECT_NEAR(half.value->work, 10000, 1);
}

TEST(SizeCurve, ItsHalfSizeIsBelowTheFirstSizeThatHasMoreThanHalf) {
  const auto half = half_size(only(curve("cpu", kSizes, 1e-4, 1e5)));
  ASSERT_TRUE(half.value) << half.reason;
  EXPECT_TRUE(half.value->below);
  EXPECT_EQ(half.value->size, 1000);
}

TEST(SizeCurve, ItsHalfSizeIsKnownWhereMostOfTheRateIsReached) {
  const auto records = curve("cuda:0", {1000, 4000, 16000, 64000}, 0.1, 1e5);
  ASSERT_FALSE(is_settled(only(records)));
  const auto half = half_size(only(records));
  ASSERT_TRUE(half.value) << half.reason;
  EXPECT_NEAR(half.value->size, 10000, 1);
}

TEST(SizeCurve, SaysWhyItHasNoHalfSize) {
  expect_text(half_size(only(curve("cpu", {1000, 4000}, 0, 1e5))).reason);
  expect_text(half_size(only(curve("cpu", {1000, 4000, 16000}, 1, 1e5))).reason);
}

TEST(SizeCurve, CrossesAnotherWhereBothRatesAreEqual) {
  const SizeCurve gpu = only(curve("cuda:0", kSizes, 0.1, 1e5)), cpu = only(curve("cpu", kSizes, 0, 4e4));
  const auto at = crossing(gpu, cpu);  // n / (n + 10 000) = 0.4
  ASSERT_TRUE(at);
  EXPECT_EQ(at->below, "cpu");
  EXPECT_EQ(at->above, "cuda:0");
  EXPECT_EQ(at->low, 4000);
  EXPECT_EQ(at->high, 16000);
  EXPECT_NEAR(at->size, 6667, 1000);
  EXPECT_FALSE(crossing(gpu, only(curve("cpu", kSizes, 0, 1e6)))) << "never faster";
  EXPECT_FALSE(crossing(gpu, only(curve("cpu", kSizes, 0, 1e3)))) << "always faster";
}

TEST(SizeCurve, CrossesOneThatHadSettledBefore) {
  const auto at = crossing(only(curve("cuda:0", kSizes, 0.1, 1e5)), only(curve("cpu", {1000, 4000}, 0, 8e4)));
  ASSERT_TRUE(at);
  EXPECT_EQ(at->low, 16000);  // 64 000 reach 86 500
}

TEST(SizeCurve, AProblemFillsADeviceWhoseRateHasSettled) {
  const SizeCurve rising = only(curve("cuda:0", {1000, 4000, 16000}, 0.1, 1e5));
  EXPECT_EQ(filling_at(rising, 16000, "toys").fills, false);
  expect_text(filling_at(rising, 16000, "toys").reason);
  const SizeCurve settled = only(curve("cpu", {1000, 4000}, 0, 1e5));
  EXPECT_EQ(filling_at(settled, 4000, "toys").fills, true);
  EXPECT_EQ(filling_at(settled, 64000, "toys").fills, true) << "larger than it needed";
  EXPECT_EQ(filling_at(only(curve("cpu", {1000}, 0, 1e5)), 1000, "toys").fills, std::nullopt);
}

TEST(SizeCurve, IsTooSmallWhereALargerSizeIsFaster) {
  const SizeCurve curve_of_gpu = only(curve("cuda:0", {1000, 4000, 16000, 64000, 256000, 1024000}, 0.1, 1e5));
  EXPECT_EQ(filling_at(curve_of_gpu, 16000, "toys").fills, false);
  EXPECT_EQ(filling_at(curve_of_gpu, 16000, "toys").reason,
            "16000 toys reach 62 % of the rate that 1024000 reach");
}

/// A curve through such rates, of sizes that grow fourfold.
SizeCurve through(const std::string& device, const std::vector<double>& rates, double noise = 0) {
  std::vector<Record> records;
  std::int64_t size = 1000;
  for (const double rate : rates) {
    Record record = sized(device, size, 0, rate);
    for (double& sample : record.samples_s)
      sample *= 1 + noise * static_cast<double>(&sample - record.samples_s.data() - 1);
    record.statistics = summarise(record.samples_s, record.work, kConfidence, "sample limit");
    records.push_back(record);
    size *= 4;
  }
  return only(records);
}

TEST(SizeCurve, IsNotTooSmallWhereTheRateFallsWithSize) {
  const SizeCurve falling = through("cpu", {1e5, 7e4, 4e4});
  for (const std::int64_t size : {1000, 4000, 16000, 64000})
    EXPECT_EQ(filling_at(falling, size, "toys").fills, true) << size;
  EXPECT_EQ(filling_at(falling, 16000, "toys").reason, "from 4000 to 16000 toys its rate fell by 43 %");
  const SizeCurve of_two = through("cpu", {1e5, 7e4});
  for (const std::int64_t size : {1000, 4000})
    EXPECT_EQ(filling_at(of_two, size, "toys").fills, true) << size;
  const SizeCurve peak = through("cpu", {5e4, 1e5, 7e4, 4e4});
  EXPECT_EQ(filling_at(peak, 1000, "toys").fills, false) << "4000 are twice as fast";
  EXPECT_EQ(filling_at(peak, 64000, "toys").fills, true) << "smaller ones were faster";
}

TEST(SizeCurve, IsNotTooSmallByNoise) {
  EXPECT_NE(filling_at(through("cpu", {1e5, 1.2e5}, 0.3), 1000, "toys").fills, false);
  EXPECT_NE(filling_at(through("cpu", {1e5, 1.2e5}, 0.3), 4000, "toys").fills, false);
  EXPECT_EQ(filling_at(through("cpu", {1e5, 1.2e5}, 0.01), 1000, "toys").fills, false);
  EXPECT_EQ(filling_at(through("cpu", {1e5, 1.2e5}, 0.01), 4000, "toys").fills, false) << "it still rises";
}

}  // namespace
}  // namespace gpuseq::results
