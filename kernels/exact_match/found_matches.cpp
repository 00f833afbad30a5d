#include "kernels/exact_match/found_matches.hpp"

#include <algorithm>

namespace gpuseq::exact_match {
namespace {

constexpr u64 kStrandsOfAPiece = 4096;

/// Gathers the matches of consecutive strands.
class Gatherer {
 public:
  Gatherer(const ListedMatches& found, const Search& search, u32 offset)
      : found_(found), search_(search), offset_(offset) {}

  void strand(u64 strand, MatchList& list) const {
    const u64 from = list.matches.size();
    for (u64 task = strand * found_.lanes; task < (strand + 1) * found_.lanes; ++task)
      for (const FoundMatch& match : of(task))
        list.matches.push_back({match.reference + offset_, match.query, match.length});
    if (search_.mode == Mode::mum)
      keep_unique_in_query(list.matches, from);
    else
      std::sort(list.matches.begin() + static_cast<std::ptrdiff_t>(from), list.matches.end());
    list.end.push_back(list.matches.size());
  }

 private:
  std::span<const FoundMatch> of(u64 task) const {
    const u32 count = found_.counts[task];
    if (count <= found_.kept) return found_.first.subspan(task * found_.kept, count);
    const auto& tasks = found_.longer.tasks;
    const auto place = std::lower_bound(tasks.begin(), tasks.end(), task) - tasks.begin();
    return found_.second.subspan(found_.longer.begin[static_cast<u64>(place)], count);
  }

  const ListedMatches& found_;
  const Search& search_;
  u32 offset_;
};

}  // namespace

LongTasks long_tasks(std::span<const u32> counts, u32 kept) {
  LongTasks longer{.tasks = {}, .begin = {0}};
  for (u64 task = 0; task < counts.size(); ++task) {
    if (counts[task] <= kept) continue;
    longer.tasks.push_back(static_cast<u32>(task));
    longer.begin.push_back(longer.begin.back() + counts[task]);
  }
  return longer;
}

MatchList gather_matches(const ListedMatches& found, const Search& search, u32 offset, ThreadPool& pool) {
  const u64 strands = found.counts.size() / found.lanes;
  std::vector<MatchList> pieces((strands + kStrandsOfAPiece - 1) / kStrandsOfAPiece);
  const Gatherer gatherer(found, search, offset);
  pool.parallel_for(pieces.size(), 1, [&](std::size_t piece, std::size_t) {
    const u64 first = piece * kStrandsOfAPiece, end = std::min(strands, first + kStrandsOfAPiece);
    pieces[piece].end.reserve(end - first);
    for (u64 strand = first; strand < end; ++strand) gatherer.strand(strand, pieces[piece]);
  });
  return joined(pieces, pool);
}

MatchList list_in_pieces(const Queries& queries, u64 letters, ThreadPool& pool,
                         const std::function<MatchList(u64 first, u64 count)>& work) {
  const u64 count = queries.count();
  std::vector<MatchList> pieces(std::clamp<u64>(queries.bases() / letters + 1, 1, std::max<u64>(count, 1)));
  pool.parallel_for(pieces.size(), 1, [&](std::size_t piece, std::size_t) {
    const u64 first = count * piece / pieces.size(), end = count * (piece + 1) / pieces.size();
    pieces[piece] = work(first, end - first);
  });
  return joined(pieces, pool);
}

MatchList joined(std::span<const MatchList> pieces, ThreadPool& pool) {
  std::vector<u64> matches{0}, strands{0};
  for (const MatchList& piece : pieces) {
    matches.push_back(matches.back() + piece.matches.size());
    strands.push_back(strands.back() + piece.end.size());
  }
  MatchList list{.matches = std::vector<Match>(matches.back()), .end = std::vector<u64>(strands.back())};
  pool.parallel_for(pieces.size(), 1, [&](std::size_t piece, std::size_t) {
    std::copy(pieces[piece].matches.begin(), pieces[piece].matches.end(),
              list.matches.begin() + static_cast<std::ptrdiff_t>(matches[piece]));
    std::transform(pieces[piece].end.begin(), pieces[piece].end.end(),
                   list.end.begin() + static_cast<std::ptrdiff_t>(strands[piece]),
                   [&](u64 end) { return matches[piece] + end; });
  });
  return list;
}

}  // namespace gpuseq::exact_match
