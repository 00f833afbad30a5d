#include "probes/page_reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace gpuseq::probes {
namespace {

/// A machine with a cache of 1 MiB in front of memory, and of translations of so many pages of 4 KiB.
double time_of(double footprint, double page_bytes, double entries) {
  const double reach = page_bytes * entries;
  const auto missed = [&](double capacity) { return std::max(0.0, 1 - capacity / footprint); };
  return 5 + 90 * missed(1 << 20) + 30 * missed(reach);
}

struct Machine {
  std::vector<AccessTime> small, large;
};

Machine probed(double entries, double noise, std::mt19937_64& random) {
  std::lognormal_distribution<double> disturbed(0, noise);
  Machine machine;
  for (double footprint = 1 << 16; footprint <= 1 << 30; footprint *= std::sqrt(2.0)) {
    const double whole = std::floor(footprint / 1024) * 1024;
    machine.small.push_back({whole, time_of(whole, 4096, entries) * disturbed(random)});
    machine.large.push_back({whole, time_of(whole, 2 << 20, entries) * disturbed(random)});
  }
  return machine;
}

TEST(PageReach, OfSimulatedMachinesIsThatOfTheirEntriesWithinAnOctave) {
  std::mt19937_64 random(3);
  for (const double entries : {64, 512, 1536, 3072})
    for (int i = 0; i < 100; ++i) {
      const Machine machine = probed(entries, 0.02, random);
      const PageReach reach = page_reach(machine.small, machine.large);
      ASSERT_TRUE(reach.exceeded_bytes && reach.served_bytes) << reach.reason;
      EXPECT_GE(*reach.exceeded_bytes, 4096 * entries);
      EXPECT_LE(*reach.served_bytes, 4 * 4096 * entries);
      EXPECT_LT(*reach.exceeded_bytes, 1.5 * *reach.served_bytes);
      EXPECT_NEAR(*reach.extra_ns, 30, 14);
    }
}

TEST(PageReach, OfPagesThatCostNothingIsAbsentForAReason) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 200; ++i) {
    const PageReach reach = page_reach(probed(1e6, 0.03, random).large, probed(1e6, 0.03, random).large);
    EXPECT_FALSE(reach.served_bytes.has_value() || reach.exceeded_bytes.has_value());
    EXPECT_EQ(reach.reason, "no slower than larger pages at any footprint");
  }
}

TEST(PageReach, PassesOverOneFootprintThatWasDisturbed) {
  const std::vector<AccessTime> large{{1, 10}, {2, 10}, {4, 10}, {8, 10}};
  const std::vector<AccessTime> small{{1, 10}, {2, 20}, {4, 10}, {8, 10}};
  EXPECT_FALSE(page_reach(small, large).exceeded_bytes);
}

TEST(PageReach, ComparesTheFootprintsThatBothHave) {
  const std::vector<AccessTime> large{{8, 10}, {1, 10}, {3, 10}, {4, 10}},
      small{{1, 10}, {2, 99}, {4, 20}, {8, 30}};
  const PageReach reach = page_reach(small, large);
  EXPECT_EQ(reach.served_bytes, 1);
  EXPECT_EQ(reach.exceeded_bytes, 4);
  EXPECT_EQ(reach.extra_ns, 20);
  const PageReach always = page_reach(std::vector<AccessTime>{{1, 20}, {4, 20}}, large);
  EXPECT_FALSE(always.served_bytes);
  EXPECT_EQ(always.exceeded_bytes, 1);
  EXPECT_EQ(page_reach({}, large).reason, "no footprint was probed on these and on larger pages");
}

}  // namespace
}  // namespace gpuseq::probes
