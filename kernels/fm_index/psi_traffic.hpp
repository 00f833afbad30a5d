#pragma once

#include "kernels/fm_index/estimate.hpp"
#include "kernels/fm_index/traffic.hpp"

namespace gpuseq::fm_index {

/// Blocks of memory that a search of all queries in a psi layout touches at least, with any
/// variant: walked on at most `most_walked` evenly spread queries and scaled to all bases.
///
/// Lines: a step touches the line of its word, and where l or h is greater than the entries with a
/// slot, the place of the others and the entries before and behind the end that is sought. Table: the
/// start of the word and of the next, and of its entries those before and behind each end, as nothing
/// less can tell its place. A block that both l and h touch is counted once. A look-up in the prefix
/// table is one more block; the starts that answer other look-ups are left out. Where the first k
/// bases of a query do not occur, their line or starts tell its interval, and nothing else is counted.
///
/// The address of a line depends on nothing but the query, and of a table only the entries of large words do
/// on an interval: the blocks are independent.
///
/// Classes: how often a launch comes to which words is counted word by word for all queries (for a share of
/// the words, where these are many). The blocks that are touched t times and more are a class for each t, or
/// range of t; which of the entries of a large word are touched is drawn evenly.
Traffic count_psi_traffic(const Index& index, const Queries& queries, u32 most_walked = 2000,
                          u64 most_counted = u64{1} << 20);

/// The estimate of that count.
/// @throws ResourceError where so few bases have no layout of k
Traffic estimated_psi_traffic(const Layout& layout, u32 prefix_symbols, const SearchSizes& sizes);

}  // namespace gpuseq::fm_index
