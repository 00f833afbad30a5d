#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/matches.hpp"
#include "runtime/system/threads.hpp"

// Matches as kernels list them, made into MatchLists.

namespace gpuseq::exact_match {

/// Matches of a task that the first launch keeps; a second one does the tasks that have more. Of a read of
/// 100 bases hardly any piece of 20 that occurs does so at more than a few places, repeats apart.
inline constexpr u32 kKeptMatches = 4;

/// The tasks that had more matches than are kept of a task, and where a second launch puts those.
struct LongTasks {
  std::vector<u32> tasks;  // ascending
  std::vector<u64> begin;  // [tasks + 1]
};
LongTasks long_tasks(std::span<const u32> counts, u32 kept);

/// What two launches leave (match_policy.cuh).
struct ListedMatches {
  std::span<const FoundMatch> first;  // [tasks * kept]
  std::span<const FoundMatch> second;
  std::span<const u32> counts;  // [tasks]
  const LongTasks& longer;
  u32 kept, lanes;
};

/// All matches of each strand, sorted; of Mode::mum those that are unique in the strand.
/// @param offset  what positions of the tree's text are less than those of Reference::text
MatchList gather_matches(const ListedMatches& found, const Search& search, u32 offset, ThreadPool& pool);

/// The list of all queries by all threads, each of which takes pieces of queries.
/// @param letters  of a piece, about
/// @param work  lists the queries [first, first + count)
MatchList list_in_pieces(const Queries& queries, u64 letters, ThreadPool& pool,
                         const std::function<MatchList(u64 first, u64 count)>& work);

/// Lists of queries that follow each other, as one.
MatchList joined(std::span<const MatchList> pieces, ThreadPool& pool);

}  // namespace gpuseq::exact_match
