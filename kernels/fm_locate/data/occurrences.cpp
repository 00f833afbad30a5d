#include "kernels/fm_locate/data/occurrences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_locate {
namespace {

using fm_index::ColumnRank;
using fm_index::Interval;
using fm_index::Queries;

/// Takes a step of all queries [begin, end) before any takes the next, so that their reads overlap.
void search(const ColumnRank& rank, const Queries& queries, std::size_t begin, std::size_t end,
            std::vector<Interval<u64>>& intervals) {
  u32 longest = 0;
  for (std::size_t query = begin; query < end; ++query) {
    longest = std::max(longest, queries.bases[query]);
    intervals[query] = queries.bases[query] == 0 ? Interval<u64>{0, 0} : Interval<u64>{0, rank.rows()};
  }
  for (u32 at = 0; at < longest; ++at)
    for (std::size_t query = begin; query < end; ++query) {
      Interval<u64>& interval = intervals[query];
      if (at >= queries.bases[query] || interval.l == interval.h) continue;
      const u32 symbol = queries.packed[u64{queries.begin[query]} * 4 + at / 16] >> (2 * (at % 16)) & 3;
      interval = {rank.lf(symbol, interval.l), rank.lf(symbol, interval.h)};
      rank.prefetch(interval.l);
      rank.prefetch(interval.h);
    }
}

}  // namespace

Occurrences find_occurrences(const ColumnRank& rank, const Queries& queries, u64 most_hits,
                             ThreadPool& pool) {
  constexpr std::size_t kAtATime = 64;
  const std::size_t count = queries.begin.size();
  require_host_memory(count * (sizeof(Interval<u64>) + 4 * sizeof(u32)), "the rows of the queries");
  std::vector<Interval<u64>> intervals(count);
  pool.parallel_for(count, kAtATime, [&](std::size_t begin, std::size_t end) {
    search(rank, queries, begin, end, intervals);
  });
  Occurrences found;
  u64 total = 0;
  for (std::size_t query = 0; query < count; ++query) {
    const auto [l, h] = intervals[query];
    if (l == h) continue;
    found.query.push_back(static_cast<u32>(query));
    found.first_row.push_back(static_cast<u32>(l));
    found.begin.push_back(static_cast<u32>(total));
    found.rows.push_back(static_cast<u32>(h - l));
    total += most_hits == 0 ? h - l : std::min(h - l, most_hits);
    if (total > std::numeric_limits<u32>::max())
      throw ResourceError(
          fmt::format("the queries have more positions than {}, which are located at most at a time; give a "
                      "smaller max_hits or query_count",
                      std::numeric_limits<u32>::max()));
  }
  found.begin.push_back(static_cast<u32>(total));
  require_host_memory(total * sizeof(u32), "the positions");
  return found;
}

}  // namespace gpuseq::fm_locate
