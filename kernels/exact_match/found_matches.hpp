#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/matches.hpp"
#include "runtime/system/threads.hpp"

// Converts matches listed by kernels into MatchLists.

namespace gpuseq::exact_match {

/// Matches per task that the first launch keeps; a second launch repeats the tasks with more. Outside of
/// repeats hardly any piece of 20 bases of a 100-base read occurs at more than a few places.
inline constexpr u32 kKeptMatches = 4;

/// The tasks with more matches than are kept, and the offsets of their matches in a second launch.
struct LongTasks {
  std::vector<u32> tasks;  // ascending
  std::vector<u64> begin;  // [tasks + 1]
};
LongTasks long_tasks(std::span<const u32> counts, u32 kept);

/// Results of two launches (match_policy.cuh).
struct ListedMatches {
  std::span<const FoundMatch> first;  // [tasks * kept]
  std::span<const FoundMatch> second;
  std::span<const u32> counts;  // [tasks]
  const LongTasks& longer;
  u32 kept, lanes;
};

/// All matches of each strand, sorted; for Mode::mum those unique in the strand.
/// @param offset  position in Reference::text minus position in the tree's text
MatchList gather_matches(const ListedMatches& found, const Search& search, u32 offset, ThreadPool& pool);

/// The list of all queries, made with all threads, each of which takes pieces of queries.
/// @param letters  approximate letters per piece
/// @param work  lists the queries [first, first + count)
MatchList list_in_pieces(const Queries& queries, u64 letters, ThreadPool& pool,
                         const std::function<MatchList(u64 first, u64 count)>& work);

/// Concatenates lists of consecutive queries.
MatchList joined(std::span<const MatchList> pieces, ThreadPool& pool);

}  // namespace gpuseq::exact_match
