#include "kernels/pairwise_distance/checked_distances.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "runtime/system/random.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Attribute comparisons for which the oracle takes some seconds on few cores.
constexpr double kRowComparisons = 4e9, kPairComparisons = 1e9;
constexpr u64 kFewestRows = 8;
constexpr u64 kMostPairs = 1 << 16;

double row_comparisons(const Instances& instances) {
  return static_cast<double>(instances.count) * static_cast<double>(instances.attributes);
}

bool is_small(const Instances& instances) {
  return instances.count <= kFewestRows ||
         row_comparisons(instances) * static_cast<double>(instances.count) <= kRowComparisons;
}

}  // namespace

std::vector<u64> choose_rows(const Instances& instances) {
  if (is_small(instances)) {
    std::vector<u64> all(instances.count);
    std::iota(all.begin(), all.end(), u64{0});
    return all;
  }
  const u64 wanted = std::max(kFewestRows, static_cast<u64>(kRowComparisons / row_comparisons(instances)));
  std::set<u64> rows{0, instances.count - 1};
  Random random(instances.count);
  while (rows.size() < wanted) rows.insert(random.below(instances.count));
  return {rows.begin(), rows.end()};
}

std::vector<std::pair<u64, u64>> choose_pairs(const Instances& instances) {
  std::vector<std::pair<u64, u64>> pairs;
  if (is_small(instances)) return pairs;
  const double affordable = kPairComparisons / static_cast<double>(instances.attributes);
  const u64 wanted = std::max<u64>(1, static_cast<u64>(std::min(affordable, double{kMostPairs})));
  Random random(instances.count, 1);
  while (pairs.size() < wanted) {
    const u64 a = random.below(instances.count);
    pairs.emplace_back(a, random.below(instances.count));
  }
  return pairs;
}

CheckedDistances make_checked(const Instances& instances, Metric metric, ThreadPool& pool) {
  CheckedDistances checked{.rows = choose_rows(instances),
                           .sums = {},
                           .compared = {},
                           .reals = {},
                           .pairs = choose_pairs(instances),
                           .of_pairs = {}};
  for (const PairDistance& distance : oracle_rows(instances, metric, checked.rows, pool)) {
    checked.sums.push_back(distance.sum);
    if (is_real(metric)) checked.reals.push_back(distance.real);
    if (instances.has_missing()) checked.compared.push_back(distance.compared);
  }
  checked.of_pairs.resize(checked.pairs.size());
  pool.parallel_for(checked.pairs.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i)
      checked.of_pairs[i] = oracle_pair(instances, metric, checked.pairs[i].first, checked.pairs[i].second);
  });
  return checked;
}

}  // namespace gpuseq::pairwise_distance
