#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/cupti/cupti.hpp"

namespace gpuseq::cuda {
namespace {

using testing::HasSubstr;

/// CUPTI's Host API: no GPU needed.
class MetricsTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      known_chips();
    } catch (const CudaError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

const std::vector<std::string> kDefaults{
    "sm__inst_executed.sum",          "sm__warps_active.avg.pct_of_peak_sustained_active",
    "dram__bytes_read.sum",           "lts__t_sectors.sum",
    "lts__t_sectors_lookup_miss.sum", "smsp__inst_executed_op_local_ld.sum"};

TEST_F(MetricsTest, TheDefaultMetricsAreValidOnHopper) {
  for (const std::string& metric : kDefaults) EXPECT_EQ(why_metric_invalid("GH100", metric), "") << metric;
}

TEST_F(MetricsTest, TheDefaultMetricsAreValidOnSeveralGenerations) {
  for (const char* chip : {"TU102", "GA100", "AD102", "GB100"})
    for (const std::string& metric : kDefaults) EXPECT_EQ(why_metric_invalid(chip, metric), "") << chip;
}

TEST_F(MetricsTest, AMetricThatAChipDoesNotHaveIsNamedInTheReason) {
  EXPECT_THAT(why_metric_invalid("GH100", "dram__bytes_op_read.sum"), HasSubstr("dram__bytes_op_read.sum"));
  EXPECT_THAT(why_metric_invalid("GH100", "no_such_metric.sum"), HasSubstr("GH100"));
  EXPECT_NE(why_metric_invalid("GH100", ""), "");
}

TEST_F(MetricsTest, AnUnknownChipIsAnErrorThatNamesTheKnownOnes) {
  try {
    why_metric_invalid("GX999", "sm__inst_executed.sum");
    FAIL() << "the chip was taken";
  } catch (const CudaError& error) {
    EXPECT_THAT(error.what(), HasSubstr("GX999"));
    EXPECT_THAT(error.what(), HasSubstr("GH100"));
  }
}

TEST_F(MetricsTest, CountingTakesAsManyPassesAsTheHardwareHasTooFewCountersFor) {
  EXPECT_EQ(counting_passes("GH100", {"sm__inst_executed.sum"}), 1u);
  EXPECT_GE(counting_passes("GH100", kDefaults), 1u);
  EXPECT_LE(counting_passes("GH100", kDefaults), 3u);
  EXPECT_EQ(counting_passes("GH100", {"lts__t_sector_hit_rate.pct"}), 2u);
}

TEST_F(MetricsTest, PassesOfAnInvalidMetricAreAnError) {
  EXPECT_THROW(counting_passes("GH100", {"no_such_metric.sum"}), CudaError);
}

}  // namespace
}  // namespace gpuseq::cuda
