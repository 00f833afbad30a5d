#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "probes/knees.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::probes {
namespace {

nlohmann::json recorded(const std::string& name) {
  const auto data = source_dir() / "tests/data" / name;
  std::ifstream file(data);
  return nlohmann::json::parse(file);
}

std::vector<CurvePoint> curve_of(const nlohmann::json& footprints_mib, const nlohmann::json& values) {
  std::vector<CurvePoint> curve;
  for (std::size_t i = 0; i < values.size(); ++i)
    curve.push_back({footprints_mib[i].get<double>() * 1048576, {values[i].get<double>()}});
  return curve;
}

/// A curve that was recorded with its samples.
std::vector<CurvePoint> sampled_curve(const nlohmann::json& recorded_curve) {
  std::vector<CurvePoint> curve;
  for (std::size_t i = 0; i < recorded_curve["footprints_bytes"].size(); ++i)
    curve.push_back({recorded_curve["footprints_bytes"][i].get<double>(),
                     recorded_curve["samples"][i].get<std::vector<double>>()});
  return curve;
}

/// Knees of one curve between two footprints in MiB.
int knees_between(const std::vector<Knee>& knees, double low_mib, double high_mib) {
  return static_cast<int>(std::ranges::count_if(knees, [&](const Knee& knee) {
    return knee.at_bytes >= low_mib * 1048576 && knee.at_bytes <= high_mib * 1048576;
  }));
}

class H200Knees : public testing::TestWithParam<std::size_t> {
 protected:
  const nlohmann::json record = recorded("h200_random_access.json");
};
INSTANTIATE_TEST_SUITE_P(BlockCurves, H200Knees, testing::Range<std::size_t>(0, 9));

TEST_P(H200Knees, RandomAccessShowsTheNearHalfOfTheL2AllOfItAndTheReachOfAddressTranslation) {
  const auto& curve = record["curves"][GetParam()];
  const auto knees = find_knees(curve_of(record["footprints_mib"], curve["values"]));
  // Measured at 24, 32, 48, 64 and 128 MiB: half an octave is what the table can tell apart.
  EXPECT_EQ(knees_between(knees, 20, 40), 1) << curve["name"];
  EXPECT_EQ(knees_between(knees, 40, 85), 1) << curve["name"];
  if (curve["block_bytes"] == 512) {
    EXPECT_EQ(knees.size(), 2u) << "512 B blocks hide the translation knee";
    return;
  }
  ASSERT_EQ(knees.size(), 3u) << curve["name"];
  EXPECT_TRUE(knees[2].hard);
  EXPECT_EQ(knees[2].from_bytes, std::exp2(36));
  EXPECT_EQ(knees[2].to_bytes, 1.5 * std::exp2(36));
  EXPECT_FALSE(knees[0].hard);
  EXPECT_FALSE(knees[1].hard);
}

TEST_F(H200Knees, LatencyShowsTheL2AndNothingAtTheTranslationKnee) {
  const auto& curve = record["curves"][9];
  const auto knees = find_knees(curve_of(record["footprints_mib"], curve["values"]));
  ASSERT_EQ(knees.size(), 1u);
  EXPECT_EQ(knees_between(knees, 24, 40), 1);
  EXPECT_NEAR(knees[0].before, 404, 10);
}

/// Curves that the suite's own probe recorded on an H200, refined footprints included: past the reach of
/// address translation the rate goes on falling, so that no single step describes it.
class H200ProbeKnees : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Curves, H200ProbeKnees, testing::Range<std::size_t>(0, 4));

TEST_P(H200ProbeKnees, TheTranslationKneeIsHardAndTheOnesOfTheL2AreSoft) {
  const auto record = recorded("h200_probe_curves.json");
  const auto knees = find_knees(sampled_curve(record["curves"][GetParam()]));
  ASSERT_FALSE(knees.empty());
  EXPECT_TRUE(knees.back().hard);
  EXPECT_GE(knees.back().at_bytes, std::exp2(36));
  EXPECT_LE(knees.back().at_bytes, 1.5 * std::exp2(36));
  EXPECT_GE(knees_between(knees, 24, 85), 1);
  for (const Knee& knee : knees) {
    const bool of_the_l2 = knee.at_bytes > 24 * 1048576.0 && knee.at_bytes < 1e9;
    EXPECT_FALSE(of_the_l2 && knee.hard) << knee.at_bytes;
  }
}

/// A latency and a bandwidth curve recorded with the CPU probes' loops, beside the caches that hwloc gave
/// there: 32 KiB, 1 MiB and 32 MiB. The last is shared with other virtual machines, which leave this one
/// about 8 MiB.
class ZenKnees : public testing::Test {
 protected:
  std::vector<Knee> knees(std::size_t index) const {
    return find_knees(sampled_curve(record["curves"][index]));
  }
  double cache_mib(std::size_t level) const {
    return record["caches_bytes"][level - 1].get<double>() / 1048576;
  }
  const nlohmann::json record = recorded("epyc_zen4_curves.json");
};

TEST_F(ZenKnees, LatencyHasAHardKneeAtTheFirstCacheAndSoftOnesAtTheSecondAndWithinTheThird) {
  const std::vector<Knee> found = knees(0);
  ASSERT_GE(found.size(), 3u);
  EXPECT_TRUE(found[0].hard);
  EXPECT_EQ(found[0].from_bytes, cache_mib(1) * 1048576);
  EXPECT_EQ(knees_between(found, 0.7 * cache_mib(2), 1.4 * cache_mib(2)), 1);
  const auto steepest =
      std::ranges::max_element(found, {}, [](const Knee& knee) { return knee.after / knee.before; });
  EXPECT_GT(steepest->at_bytes, 2 * cache_mib(2) * 1048576);
  EXPECT_LT(steepest->at_bytes, cache_mib(3) * 1048576);
}

TEST_F(ZenKnees, BandwidthFallsOnlyWhereTheLastCacheEnds) {
  const std::vector<Knee> found = knees(1);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(knees_between(found, 0, 2 * cache_mib(2)), 0);
  EXPECT_GE(knees_between(found, 2 * cache_mib(2), cache_mib(3)), 1);
}

}  // namespace
}  // namespace gpuseq::probes
