#include "bench/cards/spot_check.hpp"

#include <gmock/gmock.h>

#include <random>

#include "tests/bench/records.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using results::Record;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::size_t kPoints = 8;

Record pass_of(std::size_t point, double bytes_per_s, int pass) {
  Record record = bandwidth_record(std::int64_t{1} << (16 + point), 64, bytes_per_s);
  record.repetition = pass;
  return record;
}

std::vector<std::string> states() {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kPoints; ++i) keys.push_back(pass_of(i, 1e9, 0).state.to_string());
  return keys;
}

/// Passes that something disturbs by a share of their time that is spread exponentially.
std::vector<Record> looked_at(double disturbance, double faster, std::mt19937_64& random) {
  std::exponential_distribution<double> share(1 / disturbance);
  std::vector<Record> records;
  for (int pass = 0; pass < kMostChecks; ++pass)
    for (std::size_t i = 0; i < kPoints; ++i)
      records.push_back(pass_of(i, faster * 1e9 / (1 + share(random)), pass));
  return records;
}

TEST(SpotCheck, RefusesAMachineThatIsAsItWasOnceInAHundredTimesAtMost) {
  constexpr int kMachines = 4000;
  std::mt19937_64 random(1);
  for (const double disturbance : {0.002, 0.01, 0.03}) {
    int refused = 0;
    for (int i = 0; i < kMachines; ++i) {
      const std::vector<Record> card = looked_at(disturbance, 1, random);
      refused += spot_check(card, looked_at(disturbance, 1, random), states(), 1).agrees() ? 0 : 1;
    }
    EXPECT_LE(refused, kMachines / 100) << disturbance;
  }
}

TEST(SpotCheck, RefusesAMachineThatIsFasterOrSlowerThanItsPassesLeaveOpen) {
  std::mt19937_64 random(2);
  for (const double faster : {0.5, 0.9, 1.1, 2.0}) {
    const std::vector<Record> card = looked_at(0.002, 1, random);
    const SpotCheck check = spot_check(card, looked_at(0.002, faster, random), states(), 1);
    EXPECT_FALSE(check.agrees()) << faster;
    EXPECT_EQ(check.points.size(), kPoints);
  }
  const std::vector<Record> noisy = looked_at(0.2, 1, random);
  EXPECT_FALSE(spot_check(noisy, looked_at(0.2, 2, random), states(), 1).agrees());
}

TEST(SpotCheck, AllowsMoreWhereTheCardsOwnPassesAreFurtherApart) {
  std::mt19937_64 random(3);
  const double quiet = tolerance_of_check(looked_at(0.001, 1, random), kPoints);
  const double noisy = tolerance_of_check(looked_at(0.03, 1, random), kPoints);
  EXPECT_EQ(quiet, 0.05);
  EXPECT_GT(noisy, quiet);
  EXPECT_LE(tolerance_of_check(looked_at(3, 1, random), kPoints), 0.25);
  EXPECT_GE(tolerance_of_check(looked_at(0.03, 1, random), 100 * kPoints),
            tolerance_of_check(looked_at(0.03, 1, random), 1));
}

TEST(SpotCheck, LooksAgainAtAPointThatDiffersAndTakesItsFirstLookThatAgrees) {
  std::vector<Record> card, now;
  for (int pass = 0; pass < 3; ++pass) card.push_back(pass_of(0, 1e9, pass));
  const std::vector<std::string> one{states().front()};
  now.push_back(pass_of(0, 0.5e9, 0));
  EXPECT_FALSE(spot_check(card, now, one, 1).agrees());
  now.push_back(pass_of(0, 1e9, 1));
  const SpotCheck check = spot_check(card, now, one, 1);
  EXPECT_TRUE(check.agrees());
  EXPECT_EQ(check.points.front().passes, 2);
  // What was measured later, for other reasons, changes nothing: a run that goes on comes to the same.
  now.push_back(pass_of(0, 4e9, 2));
  EXPECT_TRUE(spot_check(card, now, one, 1).agrees());
}

TEST(SpotCheck, OfNothingDoesNotAgree) {
  EXPECT_FALSE(spot_check({}, {}, states(), 1).agrees());
  EXPECT_EQ(spot_check({}, {}, states(), 1).to_json()["points"].size(), 0u);
}

TEST(SpotCheck, SaysWhatItFound) {
  const auto json =
      spot_check(std::vector{pass_of(0, 1e9, 0)}, std::vector{pass_of(0, 2e9, 0)}, states(), 1).to_json();
  EXPECT_EQ(json["agrees"], false);
  ASSERT_EQ(json["points"].size(), 1u);
  EXPECT_NEAR(json["points"][0]["card_rate"].get<double>(), 1e9, 1);
  EXPECT_NEAR(json["points"][0]["run_rate"].get<double>(), 2e9, 1);
  EXPECT_NEAR(json["points"][0]["difference"].get<double>(), 1, 1e-6);
  EXPECT_EQ(json["points"][0]["rate_unit"], "bytes/s");
}

Variant gpu_variant() {
  Variant gpu;
  gpu.name = "cuda";
  gpu.device = DeviceKind::cuda;
  return gpu;
}

/// What a card may have of a GPU.
std::vector<State> taken_states(const Variant& variant, double most_seconds) {
  std::vector<State> states;
  const auto add = [&](const char* family, Point point) {
    State state;
    state.key = {family, variant.name, {}, std::move(point), "cuda:0"};
    state.kind = "probe";
    state.variant = &variant;
    state.most_seconds = most_seconds;
    states.push_back(state);
  };
  for (const std::int64_t block : {32, 64, 128})
    for (int octave = 16; octave <= 30; ++octave)
      add("random_access", {{"footprint_bytes", std::int64_t{1} << octave}, {"block_bytes", block}});
  for (const char* operation : {"add_s32", "prmt", "viaddmin_s16x2", "mma_s8", "popc", "fma_f32"})
    add("instruction_throughput", {{"operation", std::string(operation)}});
  add("launch", {{"blocks", std::int64_t{1}}});
  return states;
}

TEST(SpotCheck, LooksAtSmallAndLargeFootprintsSeveralCurvesPipesAndLaunches) {
  const Variant gpu = gpu_variant();
  const SuiteConfig config;
  const std::vector<State> taken = taken_states(gpu, 0.1);
  const std::vector<std::string> points = points_to_check(taken, config);
  EXPECT_LE(points.size(), 13u);
  for (const char* part : {"footprint_bytes=65536,", "footprint_bytes=1073741824", "block_bytes=32",
                           "block_bytes=128", "launch/", "operation=mma_s8"})
    EXPECT_THAT(points, Contains(HasSubstr(part)));
  EXPECT_EQ(points, points_to_check(taken, config));
  EXPECT_TRUE(points_to_check({}, config).empty());
}

TEST(SpotCheck, TakesFewSecondsWhateverIsSampledHowLong) {
  const Variant gpu = gpu_variant();
  SuiteConfig config;
  config.sampling.max_seconds = config.sampling.min_seconds = 4;
  EXPECT_EQ(points_to_check(taken_states(gpu, 0), config).size(), 1u);
}

}  // namespace
}  // namespace gpuseq::bench
