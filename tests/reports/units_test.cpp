#include "reports/units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace gpuseq::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(FormatValue, TakesBinaryPrefixesForBytesAndDecimalOnesForRates) {
  EXPECT_EQ(format_value(65536, Unit::bytes), "64 KiB");
  EXPECT_EQ(format_value(96.0 * (1 << 30), Unit::bytes), "96 GiB");
  EXPECT_EQ(format_value(4.652e12, Unit::bytes_per_s), "4.65 TB/s");
  EXPECT_EQ(format_value(46.7e9, Unit::bases_per_s), "46.7 Gbases/s");
  EXPECT_EQ(format_value(7.8e-7, Unit::seconds), "780 ns");
  EXPECT_EQ(format_value(0.883, Unit::share), "88.3 %");
  EXPECT_EQ(format_value(5.333, Unit::bits_per_base), "5.33 bits/base");
}

TEST(FormatValue, RoundsBeforeItChoosesThePrefix) {
  EXPECT_EQ(format_value(999.6e6, Unit::bases_per_s), "1 Gbases/s");
}

TEST(FormatValue, HasWordsForWhatIsNoNumber) {
  EXPECT_EQ(format_value(NAN, Unit::bytes), "n/a");
  EXPECT_EQ(format_value(INFINITY, Unit::seconds), "n/a");
  EXPECT_EQ(format_value(0, Unit::bytes_per_s), "0 B/s");
}

TEST(CommonScale, TakesThePrefixOfTheMiddleValue) {
  const Scale rates = common_scale({3e8, 4.67e10, 9e10}, Unit::bases_per_s);
  EXPECT_EQ(rates.unit, "Gbases/s");
  EXPECT_DOUBLE_EQ(rates.divisor, 1e9);
  EXPECT_EQ(common_scale({65536, 1 << 20, 1 << 21}, Unit::bytes).unit, "MiB");
  EXPECT_EQ(common_scale({5e-9, 8e-7, 9e-7}, Unit::seconds).unit, "ns");
  EXPECT_EQ(common_scale({0.5}, Unit::share).unit, "%");
  EXPECT_EQ(common_scale({}, Unit::bytes_per_s).unit, "B/s");
}

TEST(LogTicks, ArePowersOfTwoForBytes) {
  EXPECT_THAT(log_ticks(60000, 5e6, Unit::bytes, 4), ElementsAre(65536, 65536 * 4, 65536 * 16, 65536 * 64));
  EXPECT_THAT(log_ticks(65536, 262144, Unit::bytes), ElementsAre(65536, 131072, 262144));
}

TEST(LogTicks, NeverCrowd) {
  for (double low = 1e-9; low < 1e6; low *= 37)
    for (double ratio = 1.01; ratio < 1e14; ratio *= 3)
      for (const Unit unit : {Unit::bytes, Unit::bases_per_s})
        for (const std::size_t most : {2u, 5u, 9u}) {
          const auto ticks = log_ticks(low, low * ratio, unit, most);
          EXPECT_LE(ticks.size(), std::max<std::size_t>(most, 7)) << low << " x " << ratio;
        }
}

TEST(LogTicks, AreEvenInANarrowRange) {
  EXPECT_THAT(log_ticks(91e9, 130e9, Unit::bases_per_s), SizeIs(testing::Ge(3)));
}

TEST(LogTicks, AreNoneOfAnEmptyRange) {
  EXPECT_TRUE(log_ticks(0, 10, Unit::bytes).empty());
  EXPECT_TRUE(log_ticks(10, 10, Unit::bytes).empty());
}

}  // namespace
}  // namespace gpuseq::reports
