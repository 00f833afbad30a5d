#pragma once

#include <span>
#include <vector>

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/matches.hpp"
#include "runtime/system/threads.hpp"

// Matches as kernels list them, made into MatchLists.

namespace gpuseq::exact_match {

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

/// Lists of queries that follow each other, as one.
MatchList joined(std::span<const MatchList> pieces, ThreadPool& pool);

}  // namespace gpuseq::exact_match
