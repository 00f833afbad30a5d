#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"
#include "kernels/exact_match/matches.hpp"

namespace gpuseq::exact_match {

/// A tree of all or a piece of a reference. Pieces overlap by the longest query, so that every match is
/// complete in the piece in which it begins, and by the letter before, which shows that it begins there.
/// Source: Schatz et al. 2007, "Implementation": k smaller trees if one tree does not fit.
struct TreePart {
  std::shared_ptr<const SuffixTree> tree;
  u32 offset = 0;                  // position in Reference::text minus position in the tree's text
  u32 own_begin = 0, own_end = 0;  // range of the tree's text in which the part's matches begin
};

/// The tree of a whole text as the only part.
TreePart whole(std::shared_ptr<const SuffixTree> tree);

/// The range of a part in Reference::text.
struct PartRange {
  u32 begin = 0, end = 0;          // letters of the part's tree, without the separators around them
  u32 own_begin = 0, own_end = 0;  // own ranges are disjoint and cover the text
};

/// Splits a text into parts whose own ranges have equal length.
/// @param parts  at least 1; a text of fewer letters is split into fewer
/// @param longest_query  letters, at least 1; ignored for one part, which is the text as it is
std::vector<PartRange> split_text(u64 text_letters, u64 parts, u64 longest_query);
/// The text of a part's tree with separators around it, and the part without its tree.
std::vector<u8> part_text(std::span<const u8> text, const PartRange& range);
TreePart part_of(const PartRange& range);

/// The least number of parts for which each tree fits a budget.
/// @param tree_bytes  of one tree, on the device
/// @throws UsageError if the overlap alone exceeds it
u64 parts_within(u64 text_letters, u64 longest_query, u64 tree_bytes);
inline constexpr u64 kTreeBytesPerLetter = 36;  // of a tree of DNA, approximately

/// Trees of parts, with their origin and the time to load or build them.
struct LoadedParts {
  std::vector<TreePart> parts;
  bool from_cache = false;  // whether all are from the cache
  double elapsed_s = 0;
  std::vector<std::string> notes;
};
/// @param cache_dir  see load_tree(); each part is cached as the tree of its text
/// @param order  of the nodes
LoadedParts load_parts(const std::filesystem::path& cache_dir, std::span<const u8> text,
                       std::span<const PartRange> ranges, NodeOrder order, ThreadPool& pool);

/// The matches of all parts, equal to those of one tree, for Mode::maxmatch.
/// @param lists  of the same queries, one for each part in order, with its own matches at positions
/// of Reference::text
MatchList merge_parts(std::span<const MatchList> lists);

/// Matches that are unique in the whole reference, for the other modes: at every position of a strand the
/// longest match over all parts, if all parts with a match of that length have the same single place.
class UniqueMatches {
 private:
  struct Best {
    u32 place = 0, length = 0;  // in Reference::text; kSeveral: more than one
  };

 public:
  static constexpr u64 kBytesOfSlot = sizeof(Best);  // memory per slot

  /// @param slots  positions of all strands, counted as by slot_begins()
  explicit UniqueMatches(u64 slots) : best_(slots) {}

  /// Call once for every part, in any order. Threads may call it for disjoint ranges.
  /// @param slots  of a traversal of the part, for positions from `first` on
  void take(const TreePart& part, std::span<const Slot> slots, u64 first = 0);

  /// The matches of the queries [first, first + count), sorted; those of Mode::mum are also
  /// unique in the strand.
  /// @param parts  all parts, own ranges ascending
  /// @param begins  slot_begins() of all queries, minus `before` if only slots from there on are stored
  MatchList list(std::span<const TreePart> parts, const Search& search, const Queries& queries, u64 first,
                 u64 count, std::span<const u64> begins, u64 before = 0) const;

 private:
  std::vector<Best> best_;
};

}  // namespace gpuseq::exact_match
