#include "probes/sm_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "probes/median.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

/// The noise of the pairs of 130 multiprocessors stays below four.
constexpr double kNoises = 5;
/// Factor by which pairs within a group must exceed all others.
constexpr double kApart = 2;
/// Least share of a typical multiprocessor's loss to its closest one: with less there is no group, even if it
/// exceeds the noise.
constexpr double kLeastShare = 0.25;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A square matrix.
class Pairs {
 public:
  explicit Pairs(std::size_t size) : size_(size), values_(size * size, 0) {}
  double& at(std::size_t i, std::size_t j) { return values_[i * size_ + j]; }
  double at(std::size_t i, std::size_t j) const { return values_[i * size_ + j]; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

/// By launch and multiprocessor: logarithm of the slowdown relative to its usual rate, minus the
/// median of the launch.
std::vector<std::vector<double>> losses(std::span<const WindowedLaunch> launches) {
  const std::size_t count = launches.front().rates.size();
  std::vector<double> usual(count);
  for (std::size_t s = 0; s < count; ++s) {
    std::vector<double> rates;
    rates.reserve(launches.size());
    for (const WindowedLaunch& launch : launches) rates.push_back(launch.rates[s]);
    usual[s] = median(std::move(rates));
  }
  std::vector<std::vector<double>> all;
  all.reserve(launches.size());
  for (const WindowedLaunch& launch : launches) {
    std::vector<double> of_launch(count);
    for (std::size_t s = 0; s < count; ++s) of_launch[s] = std::log(usual[s] / launch.rates[s]);
    const double common = median(of_launch);
    for (double& loss : of_launch) loss -= common;
    all.push_back(std::move(of_launch));
  }
  return all;
}

/// The average loss of two multiprocessors when they read different windows instead of the same.
Pairs effects(std::span<const WindowedLaunch> launches) {
  const std::size_t count = launches.front().rates.size();
  std::vector<std::vector<double>> all = losses(launches);
  Pairs effect(count);
  for (std::size_t s = 0; s < count; ++s) {
    double mean = 0;
    for (const auto& loss : all) mean += loss[s] / static_cast<double>(all.size());
    for (auto& loss : all) loss[s] -= mean;
  }
  const double share = 1 / static_cast<double>(launches.size());  // half for a member, doubled
                                                                  // for the difference
  for (std::size_t t = 0; t < launches.size(); ++t)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const bool apart = launches[t].windows[i] != launches[t].windows[j];
        effect.at(i, j) += (apart ? share : -share) * (all[t][i] + all[t][j]);
      }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) effect.at(j, i) = effect.at(i, j);
  return effect;
}

/// Joins the two groups with the largest mean effect of their pairs, until that is at most `least`.
std::vector<std::vector<std::size_t>> joined(const Pairs& effect, double least) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t s = 0; s < effect.size(); ++s) groups.push_back({s});
  Pairs sums = effect;  // sums over all pairs between two groups, by group index
  for (;;) {
    double most = least;
    std::size_t first = 0, second = 0;
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (groups[i].empty() || groups[j].empty()) continue;
        const double mean = sums.at(i, j) / static_cast<double>(groups[i].size() * groups[j].size());
        if (mean <= most) continue;
        most = mean;
        first = j;
        second = i;
      }
    if (first == second) break;
    groups[first].insert(groups[first].end(), groups[second].begin(), groups[second].end());
    groups[second].clear();
    for (std::size_t k = 0; k < groups.size(); ++k) {
      sums.at(first, k) += sums.at(second, k);
      sums.at(k, first) = sums.at(first, k);
    }
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  for (auto& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  return groups;
}

/// Compares the pairs within groups with all others.
void compare_pairs(const Pairs& effect, double least, SmGroups& found) {
  std::vector<std::size_t> group_of(effect.size());
  for (std::size_t g = 0; g < found.groups.size(); ++g)
    for (const std::size_t s : found.groups[g]) group_of[s] = g;
  found.least_within = kInfinity;
  found.most_between = -kInfinity;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < effect.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double value = effect.at(i, j);
      if (group_of[i] != group_of[j]) {
        found.most_between = std::max(found.most_between, value);
      } else {
        found.least_within = std::min(found.least_within, value);
        found.within += value;
        ++pairs;
      }
    }
  found.within /= static_cast<double>(std::max<std::size_t>(1, pairs));
  // If one group is split, pairs between the parts are like those within; if two are merged, some pairs
  // within are like those between.
  found.clear = found.least_within > least && found.least_within > found.most_between + kApart * found.noise;
}

}  // namespace

std::vector<std::vector<std::uint8_t>> window_design(std::size_t multiprocessors, std::uint64_t seed) {
  const std::size_t launches = std::bit_ceil(multiprocessors + 1);
  std::vector<std::size_t> columns(launches - 1);
  std::iota(columns.begin(), columns.end(), std::size_t{1});  // column 0 has all in one window
  std::mt19937_64 random(seed);
  std::shuffle(columns.begin(), columns.end(), random);
  std::vector<std::vector<std::uint8_t>> design(launches, std::vector<std::uint8_t>(multiprocessors));
  for (std::size_t t = 0; t < launches; ++t)
    for (std::size_t s = 0; s < multiprocessors; ++s)
      design[t][s] = static_cast<std::uint8_t>(std::popcount(t & columns[s]) % 2);
  std::shuffle(design.begin(), design.end(), random);  // so that drift correlates with no column
  return design;
}

SmGroups find_sm_groups(std::span<const WindowedLaunch> launches) {
  SmGroups found;
  if (launches.empty() || launches.front().rates.size() < 3) {
    found.reason = "fewer than three multiprocessors";
    return found;
  }
  const std::size_t count = launches.front().rates.size();
  for (const WindowedLaunch& launch : launches)
    if (launch.windows.size() != count || launch.rates.size() != count)
      throw UsageError(fmt::format("find_sm_groups: a launch of {} windows and {} rates among those of {}",
                                   launch.windows.size(), launch.rates.size(), count));
  const Pairs effect = effects(launches);
  std::vector<double> all, strongest;
  for (std::size_t i = 0; i < count; ++i) {
    double most = -kInfinity;
    for (std::size_t j = 0; j < count; ++j) {
      if (i == j) continue;
      most = std::max(most, effect.at(i, j));
      if (j < i) all.push_back(effect.at(i, j));
    }
    strongest.push_back(most);
  }
  // Few pairs are in one group: the median of all is that of pairs in different groups.
  const double middle = median(all);
  for (double& value : all) value = std::fabs(value - middle);
  constexpr double kDeviations = 1.4826;  // converts a median deviation to a normal distribution's
                                          // standard deviation
  found.noise = kDeviations * median(all);
  const double typical = median(strongest);
  const double least = std::max(kNoises * found.noise, kLeastShare * typical);
  if (!(typical > kNoises * found.noise)) {
    found.reason = fmt::format(
        "no two multiprocessors slow each other down by reading different windows: {:.2g} % at most, noise "
        "makes {:.2g} %",
        100 * std::ranges::max(strongest), 100 * found.noise);
    return found;
  }
  found.groups = joined(effect, least);
  compare_pairs(effect, least, found);
  return found;
}

std::vector<std::size_t> windows_by_group(const SmGroups& groups, std::size_t windows) {
  std::vector<const std::vector<std::size_t>*> order;
  std::size_t count = 0;
  for (const auto& group : groups.groups) {
    order.push_back(&group);
    count += group.size();
  }
  std::ranges::stable_sort(order, std::ranges::greater(), [](const auto* group) { return group->size(); });
  std::vector<std::size_t> assigned(count), sizes(windows, 0);
  for (const auto* group : order) {
    const auto fewest = std::ranges::min_element(sizes);
    for (const std::size_t s : *group) assigned[s] = static_cast<std::size_t>(fewest - sizes.begin());
    *fewest += group->size();
  }
  return assigned;
}

}  // namespace gpuseq::probes
