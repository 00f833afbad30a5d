#pragma once

#include "kernels/fm_index/data/layout.cuh"
#include "runtime/contract/cost.hpp"

// Upper estimates of a search before its problem is loaded. Amounts that are not known are 0.

namespace gpuseq::fm_index {

/// The queries that are searched.
struct QuerySizes {
  bool known = false;
  u64 count = 0;
  u64 bases = 0;               // of all together
  u64 units = 0;               // of 16 bytes that they are packed in
  u64 least = 0, longest = 0;  // bases of one

  bool are_alike() const { return least == longest; }
  /// Bytes of Queries::bytes().
  u64 bytes() const { return 16 * units + 2 * sizeof(u32) * count; }
};
/// Sampled queries by their axes. For a file, at most a base per letter and a query per two letters.
QuerySizes query_sizes(const StateOutline& state);

struct SearchSizes {
  u64 bases = 0;      // of the text
  bool even = false;  // the text is random: words are about as frequent and evenly spread
  QuerySizes queries;

  u64 rows() const { return bases + 1; }
  /// Bases from which on a word is expected in at most one row of an even text.
  u32 deep_bases() const;
  /// Queries for each one of `walked` that are counted.
  double scale(u64 walked) const {
    return queries.count <= walked ? 1 : static_cast<double>(queries.count) / static_cast<double>(walked);
  }
};
SearchSizes search_sizes(const StateOutline& state);

/// Look-ups of all queries in a prefix table.
double lookups_at_most(const SearchSizes& sizes, u32 prefix_symbols);

/// Steps of a query behind its opening; they ascend with its bases.
u64 steps_of_query(u64 bases, u32 prefix_symbols, u32 k);

/// Steps of all queries, as walked queries are scaled to all.
struct StepSizes {
  double all = 0;
  double wide = 0;   // those whose interval is expected to have several rows of an even text
  double slack = 0;  // a margin for few steps, where a share of them is estimated
};
/// @param deep_bases  symbols before a step from which on its interval is narrow
StepSizes step_sizes(const SearchSizes& sizes, u32 prefix_symbols, u32 k, u32 deep_bases);

/// Bytes that an index has without its prefix table.
u64 index_bytes_at_most(const Layout& layout, const SearchSizes& sizes);

/// The layout with positions as wide as the text needs.
Layout layout_for(Layout layout, const SearchSizes& sizes);

/// The cost of a search in a layout, with the memory that it holds on a CPU.
/// @throws ResourceError where the reference has no such layout
Cost search_cost(const Layout& layout, u32 prefix_symbols, const StateOutline& state);

}  // namespace gpuseq::fm_index
