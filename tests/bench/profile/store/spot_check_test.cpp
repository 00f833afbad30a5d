#include "bench/profile/store/spot_check.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <random>

#include "tests/bench/records.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using results::Record;
using ::testing::Contains;
using ::testing::HasSubstr;

/// Points of a profile, of a check, and those of the check
/// that lie in memory. A profile has three passes of a point.
constexpr std::size_t kPoints = 60, kChecked = 13, kInMemory = 3;
constexpr int kPassesOfProfile = 3;

Record pass_of(std::size_t point, double bytes_per_s, int pass) {
  Record record =
      bandwidth_record((std::int64_t{1} << 16) * static_cast<std::int64_t>(1 + point), 64, bytes_per_s);
  record.repetition = pass;
  return record;
}

std::vector<std::string> states() {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kChecked; ++i) keys.push_back(pass_of(i, 1e9, 0).state.to_string());
  return keys;
}

using Disturbance = std::function<double(std::mt19937_64&)>;

/// By a share of a pass's time that is spread exponentially.
Disturbance exponential(double mean) {
  return [mean](std::mt19937_64& random) { return std::exponential_distribution<double>(1 / mean)(random); };
}

/// Passes of a machine that something disturbs.
/// @param slower  the factor for points in memory
std::vector<Record> looked_at(std::size_t points, int passes, const Disturbance& disturbance, double slower,
                              std::mt19937_64& random) {
  std::vector<Record> records;
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < points; ++i)
      records.push_back(pass_of(i, 1e9 / ((i < kInMemory ? slower : 1) * (1 + disturbance(random))), pass));
  return records;
}

/// Share of machines that are refused, of which memory is so much slower than it was.
double refused(const Disturbance& disturbance, double slower, int machines, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int count = 0;
  for (int i = 0; i < machines; ++i) {
    const std::vector<Record> profile = looked_at(kPoints, kPassesOfProfile, disturbance, 1, random);
    const std::vector<Record> now = looked_at(kChecked, kMostChecks, disturbance, slower, random);
    count += spot_check(profile, now, states(), 1).agrees() ? 0 : 1;
  }
  return static_cast<double>(count) / machines;
}

TEST(SpotCheck, RefusesOneMachineInTwentyThatIsAsItWasAtMostHoweverNoisy) {
  for (const double mean : {0.002, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5})
    EXPECT_LT(refused(exponential(mean), 1, 400, 1), 0.05) << mean;
}

TEST(SpotCheck, RefusesAMachineWhoseMemoryTakesHalfMoreTimeHoweverNoisy) {
  for (const double mean : {0.002, 0.01, 0.05, 0.1, 0.2, 0.3})
    EXPECT_GT(refused(exponential(mean), 1.5, 150, 2), 0.97) << mean;
  EXPECT_GT(refused(exponential(0.5), 1.5, 300, 3), 0.85);
  EXPECT_GT(refused(exponential(0.5), 2, 150, 4), 0.99);
}

TEST(SpotCheck, KeepsAMachineWhoseProcessorsAreSometimesHalfAsFast) {
  // Two threads of one core, of which others use one now and then.
  for (const double share : {0.1, 0.3}) {
    const Disturbance sometimes = [share](std::mt19937_64& random) {
      const bool is_shared = std::bernoulli_distribution(share)(random);
      return (is_shared ? 0.85 : 0) + std::exponential_distribution<double>(1 / 0.03)(random);
    };
    EXPECT_LT(refused(sometimes, 1, 400, 5), 0.05) << share;
    EXPECT_GT(refused(sometimes, 1.5, 100, 6), 0.9) << share;
  }
}

TEST(SpotCheck, RefusesAQuietMachineThatIsATenthFasterOrSlower) {
  for (const double slower : {0.5, 0.9, 1.1, 2.0})
    EXPECT_EQ(refused(exponential(0.002), slower, 20, 7), 1) << slower;
}

TEST(SpotCheck, AllowsWhatTheProfilesOwnPassesOfAProbeLeaveOpen) {
  std::mt19937_64 random(3);
  const auto noise_of = [&](double mean) {
    return noise_by_probe(looked_at(kPoints, kPassesOfProfile, exponential(mean), 1, random))
        .at("random_access");
  };
  for (const double mean : {0.01, 0.1, 0.5}) EXPECT_NEAR(noise_of(mean).mean, mean, 0.25 * mean);
  const auto allowed_at = [&](double mean, std::size_t passes, int looks, std::size_t points) {
    return allowed_difference(noise_of(mean), passes, looks, points);
  };
  EXPECT_EQ(allowed_at(0.001, 3, 8, 13).slower, 0.05);
  EXPECT_EQ(allowed_at(0.001, 3, 8, 13).faster, 0.05);
  EXPECT_GT(allowed_at(0.2, 3, 2, 13).slower, allowed_at(0.2, 3, 8, 13).slower);
  EXPECT_GT(allowed_at(0.2, 3, 8, 1300).slower, allowed_at(0.2, 3, 8, 13).slower);
  EXPECT_EQ(allowed_at(30, 3, 8, 13).slower, 0.5);
  EXPECT_EQ(allowed_at(30, 3, 8, 13).faster, 1);
  EXPECT_EQ(allowed_difference({}, 0, 0, 0).slower, 0.05);
}

TEST(SpotCheck, KnowsAQuietProbeFromANoisyOne) {
  std::mt19937_64 random(8);
  std::vector<Record> profile = looked_at(kPoints, kPassesOfProfile, exponential(0.3), 1, random);
  std::vector<Record> quiet = looked_at(kPoints, kPassesOfProfile, exponential(0.002), 1, random);
  for (Record& record : quiet) record.state.family = "sequential";
  profile.insert(profile.end(), quiet.begin(), quiet.end());
  const auto noise = noise_by_probe(profile);
  EXPECT_GT(noise.at("random_access").mean, 0.2);
  EXPECT_LT(noise.at("sequential").mean, 0.02);
}

TEST(SpotCheck, LooksAgainAtAPointThatDiffersAndTakesItsFirstLookThatAgrees) {
  std::vector<Record> profile, now;
  for (int pass = 0; pass < 3; ++pass) profile.push_back(pass_of(0, 1e9, pass));
  const std::vector<std::string> one{states().front()};
  now.push_back(pass_of(0, 0.5e9, 0));
  EXPECT_FALSE(spot_check(profile, now, one, 1).agrees());
  now.push_back(pass_of(0, 1e9, 1));
  const SpotCheck check = spot_check(profile, now, one, 1);
  EXPECT_TRUE(check.agrees());
  EXPECT_EQ(check.points.front().passes, 2);
  // Later measurements for other reasons change nothing: a run that goes on comes to the same.
  now.push_back(pass_of(0, 4e9, 2));
  EXPECT_TRUE(spot_check(profile, now, one, 1).agrees());
  // Nor does a look after the last one count.
  now = {pass_of(0, 0.5e9, 0), pass_of(0, 1e9, kMostChecks)};
  EXPECT_FALSE(spot_check(profile, now, one, 1).agrees());
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
  EXPECT_NEAR(json["points"][0]["profile_rate"].get<double>(), 1e9, 1);
  EXPECT_NEAR(json["points"][0]["run_rate"].get<double>(), 2e9, 1);
  EXPECT_NEAR(json["points"][0]["difference"].get<double>(), 1, 1e-6);
  EXPECT_EQ(json["points"][0]["rate_unit"], "bytes/s");
  EXPECT_EQ(json["points"][0]["allowed_slower"], json["tolerance"]);
}

Variant gpu_variant() {
  Variant gpu;
  gpu.name = "cuda";
  gpu.device = DeviceKind::cuda;
  return gpu;
}

/// The values of a GPU that a profile may have.
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
