#include "probes/sm_groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "runtime/contract/errors.hpp"

// Groups of multiprocessors on synthetic machines: the loss of
// each follows from how full its group's cache of translations is.

namespace gpuseq::probes {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Groups = std::vector<std::vector<std::size_t>>;

/// A machine whose groups' caches hold a part of both windows.
class Machine {
 public:
  /// @param reach  of a group's cache, in windows: 2 holds both
  Machine(Groups groups, double reach, double penalty, double noise, std::uint64_t seed)
      : groups_(std::move(groups)), reach_(reach), penalty_(penalty), noise_(noise), random_(seed) {
    for (const auto& group : groups_) count_ += group.size();
    // Multiprocessors are at different distances from memory.
    for (std::size_t s = 0; s < count_; ++s) base_.push_back(1600 * (1 + 0.05 * uniform_(random_)));
  }

  std::size_t count() const { return count_; }
  const Groups& groups() const { return groups_; }

  WindowedLaunch launch(const std::vector<std::uint8_t>& windows) {
    WindowedLaunch found{windows, std::vector<double>(count_)};
    const double common = 1 + 0.02 * normal_(random_);  // clocks and peers move all alike
    for (const auto& group : groups_) {
      double in_second = 0;
      for (const std::size_t s : group) in_second += windows[s];
      const double share = in_second / static_cast<double>(group.size());
      for (const std::size_t s : group)
        found.rates[s] = common * base_[s] / (1 + penalty_ * missed(windows[s] ? share : 1 - share)) *
                         (1 + noise_ * normal_(random_));
    }
    return found;
  }

  std::vector<WindowedLaunch> launches(int designs, std::uint64_t seed) {
    std::vector<WindowedLaunch> all;
    for (int i = 0; i < designs; ++i)
      for (const auto& windows : window_design(count_, seed + static_cast<std::uint64_t>(i)))
        all.push_back(launch(windows));
    return all;
  }

 private:
  /// Share of a window's pages that are not in the cache, where `share` of all accesses are to it: pages go
  /// at random, so a page of a window is there in proportion to how often it comes in.
  double missed(double share) {
    if (share >= 1 || reach_ >= 2) return std::max(0.0, 1 - reach_);
    const auto [known, is_new] = missed_.try_emplace(share, 0);
    if (!is_new) return known->second;
    const double other = 1 - share;
    double low = 0, high = 1e9;  // turnover: share * t / (1 + share * t) + the other's = reach
    for (int i = 0; i < 200; ++i) {
      const double t = (low + high) / 2;
      (share * t / (1 + share * t) + other * t / (1 + other * t) < reach_ ? low : high) = t;
    }
    return known->second = 1 / (1 + share * low);
  }

  Groups groups_;
  double reach_, penalty_, noise_;
  std::size_t count_ = 0;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
  std::normal_distribution<double> normal_;
  std::vector<double> base_;
  std::map<double, double> missed_;  // by share
};

/// Random groups of so many multiprocessors; numbers of a group lie anywhere.
Groups random_groups(std::size_t count, std::size_t least, std::size_t most, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  for (std::size_t s = 0; s < count; ++s) order[s] = s;
  std::ranges::shuffle(order, random);
  Groups groups;
  for (std::size_t at = 0; at < count;) {
    const std::size_t size = std::min(count - at, std::uniform_int_distribution(least, most)(random));
    groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(at),
                        order.begin() + static_cast<std::ptrdiff_t>(at + size));
    std::ranges::sort(groups.back());
    at += size;
  }
  std::ranges::sort(groups);
  return groups;
}

TEST(WindowDesign, HasEveryTwoInTheSameWindowHalfTheTimeAndNoPairLikeAnother) {
  const auto design = window_design(132, 1);
  ASSERT_THAT(design, SizeIs(256));
  const auto apart = [&](std::size_t i, std::size_t j) {
    std::vector<int> column;
    for (const auto& windows : design) column.push_back(windows[i] == windows[j] ? -1 : 1);
    return column;
  };
  for (std::size_t i = 0; i < 132; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::vector<int> ij = apart(i, j);
      EXPECT_EQ(std::count(ij.begin(), ij.end(), 1), 128) << i << " " << j;
      if (j == 0) continue;
      // The loss of i by j must not look like its loss by another.
      const std::vector<int> with_another = apart(i, j - 1);
      int product = 0;
      for (std::size_t t = 0; t < ij.size(); ++t) product += ij[t] * with_another[t];
      EXPECT_EQ(product, 0) << i << " " << j;
    }
  EXPECT_EQ(window_design(132, 1), design);
  EXPECT_NE(window_design(132, 2), design);
}

TEST(SmGroupsTest, AreFoundOnMachinesWithTheSignalOfAnH100AndOfAnH200) {
  // 39 GB of a reach of 64; 64 of 64; and 70 of 64, where a miss doubles an access's time.
  struct Kind {
    double reach, penalty;
  };
  constexpr std::array kKinds{Kind{64.0 / 39.5, 0.25}, Kind{1.0, 0.25}, Kind{64.0 / 70, 1.0}};
  int found_all = 0, wrong_and_clear = 0, unclear = 0;
  constexpr int kMachines = 200;
  for (int i = 0; i < kMachines; ++i) {
    std::mt19937_64 random(static_cast<std::uint64_t>(i));
    const Kind kind = kKinds[static_cast<std::size_t>(i) % kKinds.size()];
    Machine machine(random_groups(132, 2, 8, random), kind.reach, kind.penalty, 0.0015, random());
    SmGroups found;
    for (int designs = 1; designs <= 4 && !found.clear; ++designs)
      found = find_sm_groups(machine.launches(designs, random()));
    // A group of one shows no pair, so that its multiprocessor is alone, as it is.
    found_all += found.groups == machine.groups();
    wrong_and_clear += found.clear && found.groups != machine.groups();
    unclear += !found.clear;
  }
  EXPECT_GE(found_all, 0.95 * kMachines);
  EXPECT_EQ(wrong_and_clear, 0);
  EXPECT_LE(unclear, 0.05 * kMachines);
}

TEST(SmGroupsTest, AreNoneWhereACacheHoldsBothWindows) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    Machine machine(random_groups(100, 4, 6, random), 2.0, 0.25, 0.0015, seed);
    const SmGroups found = find_sm_groups(machine.launches(1, seed));
    EXPECT_THAT(found.groups, SizeIs(0)) << seed;
    EXPECT_FALSE(found.clear);
    EXPECT_THAT(found.reason, HasSubstr("no two multiprocessors slow each other down"));
  }
}

TEST(SmGroupsTest, SayWhatAPairLosesAndWhatNoiseMakes) {
  std::mt19937_64 random(7);
  Machine machine(random_groups(60, 5, 5, random), 1.0, 0.25, 0.001, 7);
  const SmGroups found = find_sm_groups(machine.launches(2, 7));
  ASSERT_EQ(found.groups, machine.groups());
  EXPECT_TRUE(found.clear);
  EXPECT_LT(found.most_between, 5 * found.noise);
  EXPECT_GT(found.least_within, 5 * found.noise);
  EXPECT_GE(found.within, found.least_within);
  Machine without(machine.groups(), 2.0, 0.25, 0.001, 7);
  // The mean of two multiprocessors' losses over 128 launches.
  EXPECT_NEAR(find_sm_groups(without.launches(2, 7)).noise, 0.001 * std::sqrt(2.0 / 128), 0.00002);
}

TEST(SmGroupsTest, OfFewMultiprocessorsAreNoneAndLaunchesMustBeAlike) {
  EXPECT_THAT(find_sm_groups({}).reason, HasSubstr("fewer than three"));
  const std::vector<WindowedLaunch> two{{{0, 1}, {1, 1}}};
  EXPECT_THAT(find_sm_groups(two).groups, SizeIs(0));
  const std::vector<WindowedLaunch> unlike{{{0, 1, 0}, {1, 1, 1}}, {{0, 1}, {1, 1}}};
  EXPECT_THROW(find_sm_groups(unlike), UsageError);
}

TEST(SmGroupsTest, HaveWindowsOfAlikeManyMultiprocessors) {
  std::mt19937_64 random(3);
  const SmGroups found{.groups = random_groups(132, 4, 6, random)};
  for (const std::size_t windows : {2, 3, 4}) {
    const std::vector<std::size_t> window_of = windows_by_group(found, windows);
    std::map<std::size_t, std::size_t> sizes;
    for (const std::size_t window : window_of) ++sizes[window];
    ASSERT_EQ(sizes.size(), windows);
    const auto [least, most] = std::ranges::minmax_element(sizes, {}, [](const auto& s) { return s.second; });
    EXPECT_LE(most->second - least->second, 6u);
    for (const auto& group : found.groups) {
      std::set<std::size_t> of_group;
      for (const std::size_t s : group) of_group.insert(window_of[s]);
      EXPECT_EQ(of_group.size(), 1u);
    }
  }
}

}  // namespace
}  // namespace gpuseq::probes
