#include "kernels/papara/checked_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "kernels/papara/oracle.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::papara {
namespace {

constexpr std::size_t kFewestPairs = 16;
constexpr u32 kLanes = 64;  // lanes of the widest vector: 8-bit scores in 64 bytes

struct Before {
  bool operator()(const Pair& a, const Pair& b) const {
    return a.query != b.query ? a.query < b.query : a.reference < b.reference;
  }
};

std::vector<u32> queries_by_length(const Queries& queries) {
  std::vector<u32> order(queries.count());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](u32 a, u32 b) { return queries.bases[a] < queries.bases[b]; });
  return order;
}

/// A random reference in the given lane of a vector; any reference if there is none.
u32 reference_in_lane(u32 count, u32 lane, Random& random) {
  if (lane >= count) return static_cast<u32>(random.below(count));
  const u32 vectors = (count - lane - 1) / kLanes + 1;
  return static_cast<u32>(random.below(vectors)) * kLanes + lane;
}

}  // namespace

double all_cells(const References& references, const Queries& queries) {
  double cells = 0;
  for (const u32 bases : queries.bases) cells += static_cast<double>(band_cells(references.sites, bases));
  return cells * references.count;
}

std::vector<Pair> choose_pairs(const References& references, const Queries& queries, double most_cells) {
  const u64 all = u64{references.count} * queries.count();
  std::vector<Pair> pairs;
  if (all <= kFewestPairs || all_cells(references, queries) <= most_cells) {
    for (u32 query = 0; query < queries.count(); ++query)
      for (u32 reference = 0; reference < references.count; ++reference) pairs.push_back({query, reference});
    return pairs;
  }
  std::set<Pair, Before> chosen;
  double cells = 0;
  const auto add = [&](u32 query, u32 reference) {
    if (chosen.insert({query, reference}).second)
      cells += static_cast<double>(band_cells(references.sites, queries.bases[query]));
  };
  for (const u32 query : {0u, queries.count() - 1})
    for (const u32 reference : {0u, references.count - 1}) add(query, reference);
  const std::vector<u32> order = queries_by_length(queries);
  Random random(all);
  // Steps that are coprime to the number of strata, so that few pairs are spread as well as many.
  constexpr u64 kStrata = 64, kLengthStep = 27, kLaneStep = 37;
  // Repeated pairs count as draws, so that the loop ends for problems with few pairs.
  for (u64 draw = 0; draw < 4 * all && (cells < most_cells || chosen.size() < kFewestPairs); ++draw) {
    const u64 stratum = draw * kLengthStep % kStrata;
    const u64 begin = stratum * order.size() / kStrata, end = (stratum + 1) * order.size() / kStrata;
    const u32 query = order[std::min<u64>(begin + random.below(end - begin), order.size() - 1)];
    const auto lane = static_cast<u32>((draw * kLaneStep + draw / kStrata) % kLanes);
    add(query, reference_in_lane(references.count, lane, random));
  }
  return {chosen.begin(), chosen.end()};
}

CheckedPairs score_pairs(std::vector<Pair> pairs, const References& references, const Queries& queries,
                         const Penalties& penalties, ThreadPool& pool) {
  CheckedPairs checked{.pairs = std::move(pairs), .scores = {}};
  checked.scores.resize(checked.pairs.size());
  pool.parallel_for(checked.pairs.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Pair& pair = checked.pairs[i];
      checked.scores[i] = oracle_score(references.row(pair.reference), queries.row(pair.query), penalties);
    }
  });
  return checked;
}

}  // namespace gpuseq::papara
