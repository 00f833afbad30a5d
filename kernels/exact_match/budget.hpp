#pragma once

#include <vector>

#include "kernels/exact_match/data/parts.hpp"

// A search within so much memory of a device: overlapping trees, one there at a time, and blocks of queries.

namespace gpuseq::exact_match {

/// As many trees as make each take a third of a budget, about.
/// @param tree_bytes_per_letter  of a tree
/// @throws DoesNotFit if what trees overlap by takes that
/// Source: Schatz et al. 2007, "Implementation".
u64 trees_within(u64 text_letters, u64 longest_query, u64 tree_bytes_per_letter, u64 budget_bytes);

struct QueryRange {
  u64 first = 0, count = 0;
};

/// All queries in blocks, in their order, each of as many as fit.
/// @param written  strands of a query whose letters are on the device
/// @param room  bytes for letters, slots, where each begins, and an order of strands
/// @throws DoesNotFit if a query takes more
std::vector<QueryRange> query_ranges(const Queries& queries, const Search& search, u32 written, u64 room);

/// Queries of their own.
Queries some_of(const Queries& queries, const QueryRange& range);

}  // namespace gpuseq::exact_match
