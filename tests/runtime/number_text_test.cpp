#include "runtime/io/number_text.hpp"

#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/device/host_device.cuh"

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

TEST(NumberText, ReadsBytesWithDecimalAndBinaryPrefixes) {
  EXPECT_EQ(parse_bytes("4096"), 4096u);
  EXPECT_EQ(parse_bytes("200M"), 200'000'000u);
  EXPECT_EQ(parse_bytes("1.5 GiB"), u64{3} << 29);
  EXPECT_EQ(parse_bytes("2k"), parse_bytes("2KB"));
  EXPECT_EQ(parse_bytes("1Ti"), u64{1} << 40);
  for (const char* wrong : {"", "M", "0", "-1", "200X", "2iB", "1e30", "200MM", "nan", "5 0", "200m"})
    EXPECT_THROW(parse_bytes(wrong), UsageError) << wrong;
}

}  // namespace
}  // namespace gpuseq
