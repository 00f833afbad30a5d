#pragma once

#include <span>
#include <vector>

#include "kernels/exact_match/data/parts.hpp"

namespace gpuseq::exact_match {

/// Positions of a tree's text.
struct OwnRange {
  u32 begin = 0, end = ~u32{0};
};

/// Appends the maximal matches that begin at a position of a strand, sorted: the places below the slot's
/// node and, for Mode::maxmatch, below its ancestors with at least min_length letters, if the letter to
/// the left differs. For other modes, matches unique in the reference; for Mode::mum,
/// keep_unique_in_query() does the rest.
/// @param own  range of the tree's text in which matches must begin
/// @param strand  the letter before it is readable and matches nothing
/// @param slot  of length 0, or at least min_length Source: Schatz et al. 2007, "Sequence
/// alignment" and figure 1.
void list_matches(const TreeView& tree, const Search& search, const u8* strand, u32 position, Slot slot,
                  std::vector<Match>& matches, OwnRange own = {});

/// The strands of queries; the letter before each is readable and matches nothing.
class StrandCodes {
 public:
  /// @param queries  must outlive this
  StrandCodes(const Queries& queries, u32 strands);
  /// The first letter of a strand, valid until the next call.
  const u8* take(u64 strand);

 private:
  const Queries& queries_;
  u32 strands_;
  std::vector<u8> reverse_;
};

/// Slots of a strand: the positions at which a match can begin.
constexpr u64 slots_of(u64 letters, u32 min_length) {
  return letters < min_length ? 0 : letters - min_length + 1;
}

/// Offsets of the slots: those of strand `s` of query `q` begin at begin[q * strands + s]; the last
/// element is their number.
std::vector<u64> slot_begins(const Queries& queries, const Search& search);

/// The list of queries [first, first + count), one strand after the other.
/// @param add  add(strand, letters, matches) appends the matches of a strand, sorted. For Mode::mum it
/// appends those unique in the reference; those not unique in the query are removed here
template <typename Add>
MatchList list_strands(const Search& search, const Queries& queries, u64 first, u64 count, const Add& add) {
  const u32 strands = search.strands();
  MatchList list;
  list.end.reserve(count * strands);
  StrandCodes codes(queries, strands);
  for (u64 strand = first * strands; strand < (first + count) * strands; ++strand) {
    const u64 from = list.matches.size();
    add(strand, codes.take(strand), list.matches);
    if (search.mode == Mode::mum) keep_unique_in_query(list.matches, from);
    list.end.push_back(list.matches.size());
  }
  return list;
}

/// All matches of queries [first, first + count) from the slots that a kernel has written.
/// @param slots  of all queries
/// @param begins  slot_begins() of all queries
MatchList list_all(const TreeView& tree, const Search& search, const Queries& queries, u64 first, u64 count,
                   std::span<const Slot> slots, std::span<const u64> begins);
/// The list for a part: its own matches, at positions of Reference::text. Not for unique
/// matches of several parts.
MatchList list_all(const TreePart& part, const Search& search, const Queries& queries, u64 first, u64 count,
                   std::span<const Slot> slots, std::span<const u64> begins);

}  // namespace gpuseq::exact_match
