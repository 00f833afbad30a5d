#pragma once

#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/word_tables.hpp"

namespace gpuseq::exact_match {

/// The work of one thread: all strands of the queries [begin, end).
struct SearchJob {
  TreeView tree;
  Search search;
  const PrefixTable* prefixes;  // k-mers of at most min_length letters
  const WordFilter* filter;     // k-mers of at most min_length letters
  const Queries* queries;
  u64 begin, end;
  u32 in_flight;      // strands that take turns, each prefetching its next read; 1: one after the other
  OwnRange own = {};  // find_matches(): range of the tree's text in which matches must begin
};

/// Slots of every position at which a match can begin, for all strands of the job's queries.
/// @param begins  slot_begins() of all queries
/// @param slots  the slots from index `before` on
void find_slots(const SearchJob& job, std::span<const u64> begins, Slot* slots, u64 before = 0);

/// Matches of the job's queries.
MatchList find_matches(const SearchJob& job);

}  // namespace gpuseq::exact_match
