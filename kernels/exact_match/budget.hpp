#pragma once

#include <vector>

#include "kernels/exact_match/data/parts.hpp"

// A search within a memory budget on a device: overlapping trees, one at a time on the device, and
// blocks of queries.

namespace gpuseq::exact_match {

/// The number of trees for which each tree takes about a third of the budget.
/// @param tree_bytes_per_letter  of a tree
/// @throws DoesNotFit if the overlap of trees alone takes a third Source: Schatz et al.
/// 2007, "Implementation".
u64 trees_within(u64 text_letters, u64 longest_query, u64 tree_bytes_per_letter, u64 budget_bytes);

struct QueryRange {
  u64 first = 0, count = 0;
};

/// Splits all queries into blocks in order, each with as many queries as fit.
/// @param written  strands of a query whose letters are on the device
/// @param room  bytes for letters, slots, their offsets, and an order of strands
/// @throws DoesNotFit if a single query does not fit
std::vector<QueryRange> query_ranges(const Queries& queries, const Search& search, u32 written, u64 room);

/// A copy of a range of queries.
Queries some_of(const Queries& queries, const QueryRange& range);

}  // namespace gpuseq::exact_match
