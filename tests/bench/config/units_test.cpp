#include "bench/config/units.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gpuseq::bench {
namespace {

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

}  // namespace
}  // namespace gpuseq::bench
