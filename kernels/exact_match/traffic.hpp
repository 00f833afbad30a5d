#pragma once

#include <memory>
#include <span>

#include "kernels/exact_match/data/leaf_nodes.hpp"
#include "kernels/exact_match/data/parts.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::exact_match {

/// What a search does besides the traversal of a tree, and how many strands are in work.
struct SearchWay {
  u32 prefix_letters = 0, filter_letters = 0;  // of tables of words; 0: none. Filters are cut to min_length
  bool listed = false;                         // matches are listed at once; else slots are left
  bool leaf_nodes = false;                     // leaves are nodes (data/leaf_nodes.hpp)
  bool compared_ends = false;                  // as MatchPolicy has it
  bool one_at_a_time = false;                  // a thread has one strand in work and waits for each access
};

/// Whether its reads wait for each other, as in Traffic.
std::string access_of(const SearchWay& way);

/// What a search reads: letters and entries one by one, and random blocks of memory.
struct AccessCounts {
  double nodes = 0;          // the half with the links, or a link of it
  double children = 0;       // the child by a letter
  double text_letters = 0;   // compared with a query's, or to the left of a place
  double query_letters = 0;  // compared, looked up, or packed into words
  double leaf_entries = 0;   // parents, depths, ranges and leaves
  double prefixes = 0, filter_words = 0;
  double blocks = 0;  // see count_traffic()
  double bases = 0;   // of the strands that are counted
};

/// Queries that are counted, about: of more a sample.
inline constexpr u32 kCountedQueries = 2000;

/// Counts of the traversal that GPUs do (match_traversal.cuh), on at most `most` evenly spread queries, each
/// with its strands, not scaled. CPU variants read no less: they fetch parents of leaves more often.
AccessCounts count_accesses(const TreePart& part, const Search& search, const Queries& queries,
                            const SearchWay& way, u32 most = kCountedQueries);

/// Blocks of 32 bytes that a search of all queries touches at random places at least: a node (its halves are
/// one block, and read again at once it is not counted again); a sector of the text and of each array about
/// leaves, where it is another than that of the array's last access; an entry of the prefix table and a word
/// of the filter. What is read or written in order (letters of queries, slots, matches) does not count.
/// Counted as count_accesses() does and scaled to all bases. `footprint_bytes` is what the search reads of
/// the largest part with its tables. `classes` say which blocks are hot: of nodes and their ranges by depth
/// and leaves, of tables by how frequent their words are (traffic_heat.hpp); the text, what is kept about
/// leaves, and the leaves that listing can come to, are each read evenly. Parts are searched one after the
/// other: each has the caches for itself, and its blocks add to the classes.
Traffic count_traffic(std::span<const TreePart> parts, const Search& search, const Queries& queries,
                      const SearchWay& way, u32 most = kCountedQueries);

/// Loads of a GPU's lanes at least: one for each block of a traffic, whatever caches keep of it. They are
/// told as loads from shared memory, which go through the same unit and are no slower.
Instructions instructions_of(const Traffic& traffic);
inline constexpr const char* kLoad = "load_shared_32";

/// The tree that a search goes over.
class SearchedTree {
 public:
  /// @param tree  must outlive this
  SearchedTree(const SuffixTree& tree, const SearchWay& way);
  TreeView view() const { return all_ != nullptr ? all_->tree.view() : tree_.view(); }

 private:
  const SuffixTree& tree_;
  std::shared_ptr<const LeafNodes> all_;
};

/// How large a tree is.
struct TreeSize {
  u64 nodes = 0, letters = 0, leaves = 0;
};
/// What a search reads of a tree and its tables.
u64 footprint(const TreeSize& tree, const SearchWay& way, u32 min_length);
inline constexpr u32 kBlockBytes = 32;

}  // namespace gpuseq::exact_match
