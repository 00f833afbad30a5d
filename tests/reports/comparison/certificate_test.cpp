#include "reports/comparison/certificate.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "reports/comparison/words.hpp"
#include "tests/reports/comparison/comparison_sides.hpp"

namespace gpuseq::comparison {
namespace {

using testing::HasSubstr;

TEST(Certificate, BoundsAShareAsClopperAndPearsonDo) {
  EXPECT_NEAR(upper_bound_of_share(0, 200, 0.95), 1 - std::pow(0.05, 1.0 / 200), 1e-9);
  EXPECT_NEAR(upper_bound_of_share(0, 60, 0.95), 0.0487, 1e-4);
  EXPECT_NEAR(upper_bound_of_share(2, 20, 0.95), 0.2826, 1e-4);  // of their tables
  EXPECT_NEAR(upper_bound_of_share(5, 5, 0.95), 1, 1e-9);
  EXPECT_EQ(upper_bound_of_share(0, 0, 0.95), 1);
}

/// Processes of two variants whose medians differ by `noise` (standard deviation) from one to the next.
Side machine(double noise) {
  Random random(3);
  Side side{.name = "base"};
  for (int process = 0; process < 12; ++process) {
    auto& records = side.processes.emplace_back();
    for (const char* variant : {"a", "b"}) {
      const double level = 1 + noise * (random.uniform() + random.uniform() + random.uniform() - 1.5) * 2;
      records.push_back(example::record(variant, std::vector<double>(6, level)));
    }
  }
  return side;
}

TEST(Certificate, OfAQuietMachineCatchesWhatLiesJustBeyondTheSmallestEffect) {
  const auto certificate = certify(machine(0.001), 12, {}).value.value();
  EXPECT_EQ(certificate.false_alarms, 0u);
  EXPECT_NEAR(certificate.false_alarm_bound, 0.0149, 1e-4);
  EXPECT_EQ(certificate.smallest_caught, 0.04);  // 3 % is the smallest effect itself
  EXPECT_EQ(certify(machine(0.001), 12, {.min_effect = 0.01}).value.value().smallest_caught, 0.02);
}

TEST(Certificate, OfANoisyMachineCatchesLess) {
  const auto quiet = certify(machine(0.001), 12, {}).value.value(),
             noisy = certify(machine(0.05), 12, {}).value.value();
  EXPECT_GT(noisy.smallest_caught.value_or(9), *quiet.smallest_caught);
}

TEST(Certificate, IsNoneOfFewProcessesAndSaysWhy) {
  Side few = machine(0.001);
  few.processes.resize(3);
  const auto none = certify(few, 12, {});
  EXPECT_FALSE(none.value);
  EXPECT_THAT(none.reason, HasSubstr("fewer than 4 processes"));
  Comparison comparison;
  EXPECT_EQ(certificate_text(comparison), "");
  comparison.certificate = none;
  EXPECT_THAT(certificate_text(comparison), HasSubstr("not known: a side has fewer than 4 processes"));
  EXPECT_THAT(certificate_text(comparison), Not(HasSubstr("Meanwhile")));
  comparison.elsewhere = LoadShares{.steal = 0.25, .others = 0.125};
  EXPECT_THAT(
      certificate_text(comparison),
      HasSubstr(
          "Meanwhile other processes took 12 % of the processors' time, other guests of the host 25 %"));
}

}  // namespace
}  // namespace gpuseq::comparison
