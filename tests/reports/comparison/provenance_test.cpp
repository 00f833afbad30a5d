#include "reports/comparison/provenance.hpp"

#include <gmock/gmock.h>

#include "runtime/contract/errors.hpp"
#include "tests/reports/comparison/comparison_sides.hpp"

namespace gpuseq::comparison {
namespace {

using namespace gpuseq::comparison::example;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ComparedRecord with_quota(const json& quota) {
  ComparedRecord one = record("a", {1, 1, 1, 1});
  json provenance = *one.provenance;
  provenance["host"]["cpu_quota"] = quota;
  one.provenance = provenance;
  return one;
}

std::vector<ProvenanceDifference> differences(const ComparedRecord& base, const ComparedRecord& next) {
  return provenance_differences(one_process({base}), one_process({next}), {});
}

TEST(CpuQuotaOfSides, IsListedWhereItDiffers) {
  for (const auto& [base, next, first, second] :
       {std::tuple(with_quota(nullptr), with_quota(0.5), "no limit", "0.5"),
        std::tuple(with_quota(2.5), with_quota(nullptr), "2.5", "no limit"),
        std::tuple(record("a", {1, 1, 1, 1}), with_quota(1), "not recorded", "1")}) {
    const auto found = differences(base, next);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].field, "host/cpu_quota");
    EXPECT_EQ(found[0].base, first);
    EXPECT_EQ(found[0].other, second);
    EXPECT_FALSE(found[0].refuses);
  }
}

TEST(CpuQuotaOfSides, ThatNeitherHasIsNoDifferenceToOlderRecords) {
  EXPECT_TRUE(differences(record("a", {1, 1, 1, 1}), with_quota(nullptr)).empty());
  EXPECT_TRUE(differences(with_quota(2), with_quota(2)).empty());
}

TEST(CpuQuotaOfSides, MakesAnotherSeriesOfAHistory) {
  EXPECT_EQ(device_hash(record("a", {1})), device_hash(with_quota(nullptr)));
  EXPECT_NE(device_hash(record("a", {1})), device_hash(with_quota(0.5)));
}

TEST(MixedData, OfOneSideIsRefused) {
  ComparedRecord other = record("b", {1, 1, 1, 1});
  other.problem_hash = "fedcba9876543210";
  const Side mixed = one_process({record("a", {1, 1, 1, 1}), other});
  // Both sides alike, and one side alone: no rate of a mixture is that of a problem.
  for (const Side& next : {mixed, one_process({record("a", {1, 1, 1, 1})})})
    for (const auto& sides : {std::pair(mixed, next), std::pair(next, mixed)}) {
      const auto compared = [&] { compare(sides.first, sides.second, {}); };
      EXPECT_THAT(compared, ThrowsMessage<UsageError>(HasSubstr("0123456789abcdef and fedcba9876543210")));
    }
}

}  // namespace
}  // namespace gpuseq::comparison
