#pragma once

#include <array>
#include <compare>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/exact_match/data/sequences.hpp"

namespace gpuseq::exact_match {

/// The maximal exact matches to report. A match is maximal if it can be extended neither to the left nor to
/// the right; unique means that its string occurs once.
enum class Mode : u8 {
  maxmatch,      // all
  mumreference,  // unique in all sequences of the reference together
  mum,           // unique in the reference and in the strand of the query
};
inline constexpr std::array<std::string_view, 3> kModeNames{"maxmatch", "mumreference", "mum"};

/// Parameters of a search. Every strand of a query is searched independently.
struct Search {
  u32 min_length = 20;  // at least 1
  Mode mode = Mode::maxmatch;
  bool both_strands = false;  // otherwise only the queries as given

  u32 strands() const { return both_strands ? 2 : 1; }
};

/// A maximal exact match of a strand of a query.
struct Match {
  u32 reference = 0;  // position in Reference::text
  u32 query = 0;      // position in the strand, from 0; strand 1 is the reverse complement
  u32 length = 0;

  friend bool operator==(const Match&, const Match&) = default;
  friend auto operator<=>(const Match& a, const Match& b) {
    if (const auto order = a.query <=> b.query; order != 0) return order;
    return a.reference <=> b.reference;
  }
};

/// Matches of consecutive queries, one strand of a query after the other, each sorted by position in the
/// strand and then in the reference. Equal for every variant.
struct MatchList {
  std::vector<Match> matches;
  std::vector<u64> end;  // end of strand `s` of query `q` of the list, at q * strands + s

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

/// Removes matches that are not unique in the strand, from matches of one strand that are unique in
/// the reference; sorts the rest. If a string occurs twice in the query, its extended second place is
/// within another such match; so the result has the matches whose piece of the reference is in no
/// other match's piece.
void keep_unique_in_query(std::vector<Match>& matches, u64 from);

}  // namespace gpuseq::exact_match
