#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/exact_match/matches.hpp"

namespace gpuseq::exact_match {

/// What of mummer's options changes its lines.
struct MatchFormat {
  bool forward_positions =
      false;                   // -c: of a reverse complement's match where its first letter is in the query
  bool four_columns = false;   // -F: the name of the sequence although the reference has one
  bool query_lengths = false;  // -L: behind the name of a query
  bool letters = false;        // -s: the match in letters, lower case, on a line of its own
};

/// Matches as the program mummer prints them: "> name" or "> name Reverse" before every strand of a query,
/// then a line a match with the positions, from 1, in the reference and in the strand and the length; before
/// them the name of the sequence where the reference has several.
class MatchWriter {
 public:
  /// @param reference  must outlive the writer
  MatchWriter(const Reference& reference, const Search& search, const MatchFormat& format = {});

  /// Appends the strands [begin, end) of a list of all the queries.
  void write(std::string& out, const Queries& queries, const MatchList& list, u64 begin, u64 end) const;

 private:
  void write_match(std::string& out, const Match& match, std::span<const u8> query, bool reverse) const;

  const Reference& reference_;
  u32 strands_;
  MatchFormat format_;
  std::vector<std::string> prefixes_;  // of a line, for each sequence; empty where none is printed
};

}  // namespace gpuseq::exact_match
