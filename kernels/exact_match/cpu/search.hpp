#pragma once

#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/word_tables.hpp"

namespace gpuseq::exact_match {

/// What one thread searches: all strands of the queries [begin, end).
struct SearchJob {
  TreeView tree;
  Search search;
  const PrefixTable* prefixes;  // of at most min_length letters
  const WordFilter* filter;     // of at most min_length letters
  const Queries* queries;
  u64 begin, end;
  u32 in_flight;      // strands that take turns, each prefetching what it reads next; 1: one after the other
  OwnRange own = {};  // of find_matches(): matches that begin elsewhere in the tree's text do not count
};

/// Slots of every position at which a match can begin, all strands of all queries of the job.
/// @param begins  slot_begins() of all queries
/// @param slots  those from `before` on
void find_slots(const SearchJob& job, std::span<const u64> begins, Slot* slots, u64 before = 0);

/// Matches of the job's queries.
MatchList find_matches(const SearchJob& job);

}  // namespace gpuseq::exact_match
