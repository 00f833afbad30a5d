#pragma once

#include <memory>
#include <span>

#include "kernels/exact_match/data/leaf_nodes.hpp"
#include "kernels/exact_match/data/parts.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::exact_match {

/// Parameters of a search besides the traversal of a tree, and the number of concurrent strands.
struct SearchWay {
  u32 prefix_letters = 0,
      filter_letters = 0;      // k-mer lengths of the tables; 0: none. Filters are cut to min_length
  bool listed = false;         // the kernel lists matches; otherwise slots are written
  bool leaf_nodes = false;     // leaves are nodes (data/leaf_nodes.hpp)
  bool compared_ends = false;  // see MatchPolicy
  bool one_at_a_time = false;  // a thread has one strand at a time and waits for each access
};

/// Whether reads depend on each other, see Traffic.
std::string access_of(const SearchWay& way);

/// Reads of a search: letters and entries one by one, and random blocks of memory.
struct AccessCounts {
  double nodes = 0;          // the half with the links, or a link of it
  double children = 0;       // the child by a letter
  double text_letters = 0;   // compared with a query's letters, or read to the left of a place
  double query_letters = 0;  // compared, looked up, or packed into k-mers
  double leaf_entries = 0;   // parents, depths, ranges and leaves
  double prefixes = 0, filter_words = 0;
  double blocks = 0;  // see count_traffic()
  double bases = 0;   // bases of the counted strands
};

/// Approximate number of counted queries; if there are more queries, a sample is counted.
inline constexpr u32 kCountedQueries = 2000;

/// Counts the accesses of the GPUs' traversal (match_traversal.cuh) for at most `most` evenly spaced
/// queries with all their strands, not scaled. CPU variants read at least as much: they fetch parents of
/// leaves more often.
AccessCounts count_accesses(const TreePart& part, const Search& search, const Queries& queries,
                            const SearchWay& way, u32 most = kCountedQueries);

/// The least number of 32-byte blocks that a search of all queries touches at random places: a node (its
/// halves are one block; reading it again at once does not count); a sector of the text and of each array
/// about leaves, unless it is the sector of the array's last access; an entry of the prefix table and a word
/// of the filter. Sequential reads and writes (letters of queries, slots, matches) do not count. Counted like
/// count_accesses() and scaled to all bases. `footprint_bytes` is the memory of the largest part with its
/// tables that the search reads. `classes` give access frequencies: of nodes and their ranges by depth and
/// leaves, of tables by the frequency of their k-mers (traffic_heat.hpp); the text, the arrays about leaves,
/// and the leaves that listing can reach are each read evenly. Parts are searched one after the other: each
/// has the caches for itself, and its blocks add to the classes.
Traffic count_traffic(std::span<const TreePart> parts, const Search& search, const Queries& queries,
                      const SearchWay& way, u32 most = kCountedQueries);

/// The least number of loads of a GPU's lanes: one for each block of a traffic, even if caches keep it. They
/// are reported as loads from shared memory, which use the same unit and are no slower.
Instructions instructions_of(const Traffic& traffic);
inline constexpr const char* kLoad = "load_shared_32";

/// The tree that a search traverses.
class SearchedTree {
 public:
  /// @param tree  must outlive this
  SearchedTree(const SuffixTree& tree, const SearchWay& way);
  TreeView view() const { return all_ != nullptr ? all_->tree.view() : tree_.view(); }

 private:
  const SuffixTree& tree_;
  std::shared_ptr<const LeafNodes> all_;
};

/// The size of a tree.
struct TreeSize {
  u64 nodes = 0, letters = 0, leaves = 0;
};
/// Bytes of a tree and its tables that a search reads.
u64 footprint(const TreeSize& tree, const SearchWay& way, u32 min_length);
inline constexpr u32 kBlockBytes = 32;

}  // namespace gpuseq::exact_match
