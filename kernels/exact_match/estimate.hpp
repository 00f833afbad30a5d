#pragma once

#include "kernels/exact_match/problem.hpp"

namespace gpuseq::exact_match {

/// The sizes of a problem before it is loaded: upper estimates, 0 for files of unknown size. Queries
/// of a file are assumed to be no longer than exec allows for a split reference, and to match at most
/// once per position.
struct ProblemEstimate {
  bool generated = false;  // whether reference and reads are generated
  u64 text_letters = 0;    // with separators
  u64 queries = 0, bases = 0, longest = 0;
  u64 slots = 0;  // slots of all strands
  u64 matches = 0;
  u32 errors_per_1000 = 0;  // errors of reads
  double repeated = 0;      // share of the text that is copied
  Search search;

  bool known() const { return text_letters > 0 && bases > 0; }
  u64 strands() const { return queries * search.strands(); }
  /// Letters including those around queries, like Queries::letters.
  u64 query_letters() const { return bases + queries + 1; }
  u64 query_bytes() const { return query_letters() + (queries + 1) * sizeof(u64); }
  Work work() const { return {static_cast<double>(bases * search.strands()), kQueryBases}; }
  /// Letters of the text of a part's tree, including the separators around it.
  u64 part_letters(u64 trees) const;
};
ProblemEstimate estimated_problem(const StateOutline& state);

/// The largest tree of a text of this length: each inner node has at least two branches.
TreeSize largest_tree(u64 text_letters, bool leaf_nodes);
/// See SuffixTree::bytes().
u64 tree_bytes(const TreeSize& tree);
u64 prefix_table_bytes(u32 letters);
/// @param letters  0: no filter
u64 word_filter_bytes(u32 letters);

/// An estimate of count_traffic(). The blocks per position were measured with seeded bases; they hardly
/// depend on the text.
/// @param trees  parts of the reference
Traffic estimated_traffic(const ProblemEstimate& problem, const SearchWay& way, u64 trees);

}  // namespace gpuseq::exact_match
