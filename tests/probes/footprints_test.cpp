#include "probes/footprints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

TEST(Footprints, AreLogSpacedMultiplesOf1024WithBothEnds) {
  const auto footprints = log_footprints(65536, std::size_t{100} << 30, 4);
  EXPECT_EQ(footprints.front(), 65536u);
  EXPECT_EQ(footprints.back(), std::size_t{100} << 30);
  EXPECT_TRUE(std::ranges::is_sorted(footprints));
  for (std::size_t footprint : footprints) EXPECT_EQ(footprint % 1024, 0u);
  for (std::size_t i = 1; i < footprints.size(); ++i)
    EXPECT_LE(std::log2(static_cast<double>(footprints[i]) / static_cast<double>(footprints[i - 1])), 0.26);
  EXPECT_THAT(log_footprints(65536, 65536, 1), testing::ElementsAre(65536u));
}

TEST(Footprints, ThePointThatIsNextToTheEndIsLeftOut) {
  using testing::ElementsAre;
  EXPECT_THAT(log_footprints(65536, 278'528, 2), ElementsAre(65536u, 93184u, 131072u, 185344u, 278528u));
  EXPECT_THAT(log_footprints(65536, 266'240, 2),  // as good as there
              ElementsAre(65536u, 93184u, 131072u, 185344u, 262144u));
  EXPECT_THAT(log_footprints(65536, 327'680, 2),
              ElementsAre(65536u, 93184u, 131072u, 185344u, 262144u, 327680u));
  EXPECT_THAT(log_footprints(65536, 70'656, 2), ElementsAre(65536u, 70656u));  // both ends
}

TEST(Footprints, ImpossibleRangesAreRefused) {
  EXPECT_THROW(log_footprints(0, 1024, 1), UsageError);
  EXPECT_THROW(log_footprints(2048, 1024, 1), UsageError);
  EXPECT_THROW(log_footprints(1024, 2048, 0), UsageError);
}

/// A curve from 64 KiB to 64 GiB, two points per octave.
std::vector<CurvePoint> curve() {
  std::vector<CurvePoint> points;
  for (int i = 0; i <= 40; ++i) points.push_back({std::exp2(16 + i / 2.0), {1}});
  return points;
}

TEST(Refinement, AddsNewPointsInsideAndNextToEachRange) {
  const std::vector<FootprintRange> ranges{{std::exp2(25), std::exp2(25.5)}};
  const std::vector<double> more = refine_footprints(curve(), ranges, 4);
  ASSERT_EQ(more.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(more));
  for (const double bytes : more) {
    EXPECT_GE(std::log2(bytes), 24.75);
    EXPECT_LE(std::log2(bytes), 25.75);
    EXPECT_EQ(std::fmod(bytes, 1024), 0);
    EXPECT_TRUE(
        std::ranges::none_of(curve(), [&](const CurvePoint& p) { return p.footprint_bytes == bytes; }));
  }
  EXPECT_TRUE(refine_footprints(curve(), {}, 4).empty());
}

TEST(Refinement, KeepsToTheCurve) {
  const std::vector<FootprintRange> outside{{1e3, 2e3}, {1e12, 2e12}};
  EXPECT_TRUE(refine_footprints(curve(), outside, 4).empty());
  const std::vector<FootprintRange> across{{1e3, 1e5}};
  for (const double bytes : refine_footprints(curve(), across, 4)) EXPECT_GE(bytes, 65536);
}

}  // namespace
}  // namespace gpuseq::probes
