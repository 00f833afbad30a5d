#include "kernels/fm_locate/data/occurrences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_locate {
namespace {

using fm_index::ColumnRank;
using fm_index::Interval;
using fm_index::Queries;

/// The base that the `at`-th step of a backward search of a strand reads. For the reverse complement, the
/// last step reads the complement of the last base of the query.
u32 base_at(const Queries& queries, std::size_t query, Strand strand, u32 at) {
  const u32 place = strand == Strand::forward ? at : queries.bases[query] - 1 - at;
  const u32 base = queries.packed[u64{queries.begin[query]} * 4 + place / 16] >> (2 * (place % 16)) & 3;
  return strand == Strand::forward ? base : 3 - base;
}

/// Takes a step of all queries [begin, end) before the next step of any, so that their reads overlap.
void search(const ColumnRank& rank, const Queries& queries, Strand strand, std::size_t begin, std::size_t end,
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
      const u32 base = base_at(queries, query, strand, at);
      interval = {rank.lf(base, interval.l), rank.lf(base, interval.h)};
      rank.prefetch(interval.l);
      rank.prefetch(interval.h);
    }
}

std::vector<Interval<u64>> search_all(const ColumnRank& rank, const Queries& queries, Strand strand,
                                      ThreadPool& pool) {
  constexpr std::size_t kAtATime = 64;
  std::vector<Interval<u64>> intervals(queries.begin.size());
  pool.parallel_for(intervals.size(), kAtATime, [&](std::size_t begin, std::size_t end) {
    search(rank, queries, strand, begin, end, intervals);
  });
  return intervals;
}

/// Lists the entries and counts their positions.
class Collector {
 public:
  explicit Collector(u64 most_hits) : most_hits_(most_hits) {}

  void add(std::size_t query, Strand strand, const Interval<u64>& interval) {
    const auto [l, h] = interval;
    if (l == h) return;
    found_.query.push_back(static_cast<u32>(query));
    found_.strand.push_back(strand);
    found_.first_row.push_back(static_cast<u32>(l));
    found_.begin.push_back(static_cast<u32>(total_));
    found_.rows.push_back(static_cast<u32>(h - l));
    total_ += most_hits_ == 0 ? h - l : std::min(h - l, most_hits_);
    if (total_ > std::numeric_limits<u32>::max())
      throw Unsupported(
          fmt::format("the queries have more positions than {}, which are located at most at a time; give a "
                      "smaller max_hits or query_count",
                      std::numeric_limits<u32>::max()));
  }
  Occurrences all() {
    found_.begin.push_back(static_cast<u32>(total_));
    require_host_memory(total_ * sizeof(u32), "the positions");
    return std::move(found_);
  }

 private:
  u64 most_hits_;
  u64 total_ = 0;
  Occurrences found_;
};

}  // namespace

Entries entries_of(const Occurrences& occurrences, u32 query) {
  const auto [first, last] = std::equal_range(occurrences.query.begin(), occurrences.query.end(), query);
  return {static_cast<std::size_t>(first - occurrences.query.begin()),
          static_cast<std::size_t>(last - occurrences.query.begin())};
}

Occurrences find_occurrences(const ColumnRank& rank, const Queries& queries, Strands strands, u64 most_hits,
                             ThreadPool& pool) {
  const std::size_t count = queries.begin.size(), sought = strands == Strands::both ? 2 : 1;
  require_host_memory(count * sought * (sizeof(Interval<u64>) + 4 * sizeof(u32)), "the rows of the queries");
  const std::vector<Interval<u64>> forward = search_all(rank, queries, Strand::forward, pool);
  std::vector<Interval<u64>> reverse;
  if (strands == Strands::both) reverse = search_all(rank, queries, Strand::reverse, pool);
  Collector found(most_hits);
  for (std::size_t query = 0; query < count; ++query) {
    found.add(query, Strand::forward, forward[query]);
    if (strands == Strands::both) found.add(query, Strand::reverse, reverse[query]);
  }
  return found.all();
}

}  // namespace gpuseq::fm_locate
