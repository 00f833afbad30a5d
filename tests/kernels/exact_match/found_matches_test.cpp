#include "kernels/exact_match/found_matches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/exact_match/data/generator.hpp"
#include "kernels/exact_match/oracle.hpp"

namespace gpuseq::exact_match {
namespace {

/// The oracle's matches as a kernel would leave them: of each lane's positions, in no order.
struct Left {
  Left(const MatchList& list, const Queries& queries, u32 min_length, u32 lanes, u32 kept, u32 offset) {
    std::vector<std::vector<FoundMatch>> tasks(list.end.size() * lanes);
    for (u64 strand = 0; strand < list.end.size(); ++strand)
      for (const Match& match : list.of(strand)) {
        const u64 slots = queries.length(strand) - min_length + 1;
        u64 lane = 0;
        while (match.query >= slots * (lane + 1) / lanes) ++lane;
        tasks[strand * lanes + lane].push_back({match.reference - offset, match.query, match.length});
      }
    first.resize(tasks.size() * kept, {9, 9, 9});
    for (u64 task = 0; task < tasks.size(); ++task) {
      std::vector<FoundMatch>& matches = tasks[task];
      std::reverse(matches.begin(), matches.end());
      counts.push_back(static_cast<u32>(matches.size()));
      std::copy_n(matches.begin(), std::min<u64>(kept, matches.size()),
                  first.begin() + static_cast<std::ptrdiff_t>(task * kept));
    }
    longer = long_tasks(counts, kept);
    second.resize(longer.begin.back());
    for (u64 i = 0; i < longer.tasks.size(); ++i)
      std::ranges::copy(tasks[longer.tasks[i]],
                        second.begin() + static_cast<std::ptrdiff_t>(longer.begin[i]));
  }
  std::vector<FoundMatch> first, second;
  std::vector<u32> counts;
  LongTasks longer;
};

TEST(FoundMatches, AreListedByStrandWhicheverTaskFoundThem) {
  const Reference reference = random_reference({.bases = 20'000, .repeat_percent = 60});
  const Queries queries = simulate_reads(reference, {.count = 9000, .bases = 60, .errors_per_1000 = 20});
  std::vector<u64> all(queries.count());
  std::iota(all.begin(), all.end(), u64{0});
  ThreadPool pool(2);
  const u32 min_length = 10;
  const Search search{.min_length = min_length};
  const MatchList expected = Oracle(reference, search).find(queries, all, pool);
  for (const u32 lanes : {1u, 4u, 32u})
    for (const u32 kept : {0u, 1u, 4u, 1000u}) {
      const Left left(expected, queries, min_length, lanes, kept, 1);
      EXPECT_EQ(left.longer.tasks.empty(), kept == 1000) << lanes << " lanes, " << kept << " kept";
      const MatchList found =
          gather_matches({left.first, left.second, left.counts, left.longer, kept, lanes}, search, 1, pool);
      EXPECT_TRUE(found == expected) << lanes << " lanes, " << kept << " kept";
    }
}

TEST(FoundMatches, OfModeMumAreThoseThatAreUniqueInTheStrand) {
  const Reference reference = random_reference({.bases = 3000});
  std::string text;
  for (u32 at = 100; at < 130; ++at) text += "ACGT"[reference.text[at]];
  Queries queries = empty_queries();
  append(queries, "twice", text + "N" + text);
  append(queries, "once", text);
  ThreadPool pool(1);
  const std::vector<u64> all{0, 1};
  const MatchList places = Oracle(reference, {.min_length = 20}).find(queries, all, pool);
  const Left left(places, queries, 20, 2, 4, 0);
  const MatchList found = gather_matches({left.first, left.second, left.counts, left.longer, 4, 2},
                                         {.min_length = 20, .mode = Mode::mum}, 0, pool);
  EXPECT_EQ(places.end, (std::vector<u64>{2, 3}));
  EXPECT_EQ(found.end, (std::vector<u64>{0, 1}));
}

TEST(FoundMatches, ListsAreJoinedInTheirOrder) {
  ThreadPool pool(2);
  const std::vector<MatchList> pieces{{{{1, 2, 3}}, {0, 1}}, {{}, {}}, {{{4, 5, 6}, {7, 8, 9}}, {2, 2}}};
  MatchList expected;
  for (const MatchList& piece : pieces) {
    for (const u64 end : piece.end) expected.end.push_back(expected.matches.size() + end);
    expected.matches.insert(expected.matches.end(), piece.matches.begin(), piece.matches.end());
  }
  EXPECT_TRUE(joined(pieces, pool) == expected);
  EXPECT_TRUE(joined({}, pool) == MatchList{});
}

}  // namespace
}  // namespace gpuseq::exact_match
