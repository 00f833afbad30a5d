#include "runtime/io/number_text.hpp"

#include <gtest/gtest.h>

namespace gpuseq {
namespace {

TEST(Significant, KeepsAsManyDigitsAsAsked) {
  EXPECT_EQ(significant(46.7123, 4), "46.71");
  EXPECT_EQ(significant(0.012345, 3), "0.0123");
  EXPECT_EQ(significant(1200, 4), "1200");
  EXPECT_EQ(significant(0, 4), "0");
}

TEST(WithDecimalPrefix, HasThePrefixThatItsThreeDigitsAskFor) {
  EXPECT_EQ(with_decimal_prefix(4'938'920, "bases"), "4.94 Mbases");
  EXPECT_EQ(with_decimal_prefix(999.6, "bases"), "1 kbases");
  EXPECT_EQ(with_decimal_prefix(0, "s"), "0 s");
  EXPECT_EQ(with_decimal_prefix(0.0015, "s"), "1.5 ms");
}

}  // namespace
}  // namespace gpuseq
