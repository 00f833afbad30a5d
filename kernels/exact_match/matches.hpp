#pragma once

#include <array>
#include <compare>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/exact_match/data/sequences.hpp"

namespace gpuseq::exact_match {

/// Which maximal exact matches count. A match is maximal if it can be extended neither to the left nor to the
/// right; unique means that its string occurs once.
enum class Mode : u8 {
  maxmatch,      // all
  mumreference,  // unique in the reference, all sequences of it together
  mum,           // unique in the reference and in the strand of the query
};
inline constexpr std::array<std::string_view, 3> kModeNames{"maxmatch", "mumreference", "mum"};

/// What is searched for. Every strand of a query is searched by itself.
struct Search {
  u32 min_length = 20;  // at least 1
  Mode mode = Mode::maxmatch;
  bool both_strands = false;  // else only the queries as they are

  u32 strands() const { return both_strands ? 2 : 1; }
};

/// A maximal exact match of a strand of a query.
struct Match {
  u32 reference = 0;  // position in Reference::text
  u32 query = 0;      // position in the strand, from 0; the strand 1 is the reverse complement
  u32 length = 0;

  friend bool operator==(const Match&, const Match&) = default;
  friend auto operator<=>(const Match& a, const Match& b) {
    if (const auto order = a.query <=> b.query; order != 0) return order;
    return a.reference <=> b.reference;
  }
};

/// Matches of consecutive queries, one strand of a query after the other, each sorted by position in the
/// strand and then in the reference: the same for every variant.
struct MatchList {
  std::vector<Match> matches;
  std::vector<u64> end;  // of the strand `s` of the query `q` of the list, at q * strands + s

  std::span<const Match> of(u64 strand) const {
    const u64 begin = strand == 0 ? 0 : end[strand - 1];
    return std::span(matches).subspan(begin, end[strand] - begin);
  }
  u64 bytes() const { return matches.size() * sizeof(Match) + end.size() * sizeof(u64); }
  void clear() {
    matches.clear();
    end.clear();
  }
  friend bool operator==(const MatchList&, const MatchList&) = default;
};

/// Of matches that are unique in the reference, all of one strand of a query, leaves those that are unique in
/// the strand, sorted. A string that occurs twice in the query lies, as its other place extends, within
/// another such match; so these are the matches whose piece of the reference lies in no other's.
void keep_unique_in_query(std::vector<Match>& matches, u64 from);

}  // namespace gpuseq::exact_match
