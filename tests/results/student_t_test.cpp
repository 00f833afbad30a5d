#include "results/statistics/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace gpuseq::results {
namespace {

TEST(StudentT, HasTheQuantilesOfPrintedTables) {
  // Abramowitz and Stegun 1964, table 26.10.
  EXPECT_NEAR(student_t_quantile(0.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.95, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 5), 4.032, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.95, 10), 2.228, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 30), 2.750, 5e-4);
}

TEST(StudentT, IsCloseToANormalDistributionWithManyDegrees) {
  for (const double t : {0.5, 1.0, 2.0, 3.0})
    EXPECT_NEAR(student_t_within(t, 2000), std::erf(t / std::sqrt(2.0)), 5e-4) << t;
}

TEST(StudentT, RefusesWhatIsNoConfidence) {
  EXPECT_THROW(student_t_quantile(1, 3), std::invalid_argument);
  EXPECT_THROW(student_t_quantile(0, 3), std::invalid_argument);
  EXPECT_THROW(student_t_quantile(0.95, 0), std::invalid_argument);
}

}  // namespace
}  // namespace gpuseq::results
