#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"
#include "kernels/exact_match/matches.hpp"

namespace gpuseq::exact_match {

/// A tree of all of a reference or of a piece of it. Pieces overlap by the longest query, so that every match
/// is whole in the piece in which it begins, and by the letter before, so that it is known to begin there.
/// Source: Schatz et al. 2007, "Implementation": k smaller trees where one does not fit.
struct TreePart {
  std::shared_ptr<const SuffixTree> tree;
  u32 offset = 0;                  // what a position of the tree's text is less than that of Reference::text
  u32 own_begin = 0, own_end = 0;  // positions of the tree's text: matches that begin there count
};

/// A tree of a whole text as the only part.
TreePart whole(std::shared_ptr<const SuffixTree> tree);

/// Where a part lies in Reference::text.
struct PartRange {
  u32 begin = 0, end = 0;          // letters of the part's tree, without the separators put around them
  u32 own_begin = 0, own_end = 0;  // own ranges are disjoint and cover the text
};

/// Splits a text into parts whose own ranges are of one length.
/// @param parts  at least 1; a text of fewer letters is split into fewer
/// @param longest_query  letters, at least 1; does not matter for one part, which is the text as it is
std::vector<PartRange> split_text(u64 text_letters, u64 parts, u64 longest_query);
/// The text of a part's tree, separators around it, and the part without its tree.
std::vector<u8> part_text(std::span<const u8> text, const PartRange& range);
TreePart part_of(const PartRange& range);

/// How many parts a text must be split into for each tree to stay within a budget.
/// @param tree_bytes  of one tree, on the device
/// @throws UsageError if even the overlap is more
u64 parts_within(u64 text_letters, u64 longest_query, u64 tree_bytes);
inline constexpr u64 kTreeBytesPerLetter = 36;  // of a tree of DNA, about

/// Trees of parts, from the cache or built, and what it took.
struct LoadedParts {
  std::vector<TreePart> parts;
  bool from_cache = false;  // all of them
  double elapsed_s = 0;
  std::vector<std::string> notes;
};
/// @param cache_dir  as load_tree() takes it; each part is cached as the tree of its text
/// @param order  of the nodes
LoadedParts load_parts(const std::filesystem::path& cache_dir, std::span<const u8> text,
                       std::span<const PartRange> ranges, NodeOrder order, ThreadPool& pool);

/// The matches of all parts as one tree would give them, for Mode::maxmatch.
/// @param lists  of the same queries, one of each part in its order: only its own, positions of
/// Reference::text
MatchList merge_parts(std::span<const MatchList> lists);

/// Matches that are unique in the whole reference, for the other modes: at every position of a strand the
/// longest match over all parts, if all parts that have one of that length have one place, and the same.
class UniqueMatches {
 private:
  struct Best {
    u32 place = 0, length = 0;  // in Reference::text; kSeveral: more than one
  };

 public:
  static constexpr u64 kBytesOfSlot = sizeof(Best);  // that it holds

  /// @param slots  positions of all strands, as slot_begins() counts them
  explicit UniqueMatches(u64 slots) : best_(slots) {}

  /// To be called once for every part, in any order. From several threads for ranges that are disjoint.
  /// @param slots  as a traversal of the part leaves them, of positions from `first` on
  void take(const TreePart& part, std::span<const Slot> slots, u64 first = 0);

  /// The matches of the queries [first, first + count), sorted; those of Mode::mum unique in the strand, too.
  /// @param parts  all of them, own ranges ascending
  /// @param begins  slot_begins() of all queries, less `before` where only slots from there on are held
  MatchList list(std::span<const TreePart> parts, const Search& search, const Queries& queries, u64 first,
                 u64 count, std::span<const u64> begins, u64 before = 0) const;

 private:
  std::vector<Best> best_;
};

}  // namespace gpuseq::exact_match
