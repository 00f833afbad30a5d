#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/exact_match/matches.hpp"

namespace gpuseq::exact_match {

/// The options of mummer that change its lines.
struct MatchFormat {
  bool forward_positions = false;  // -c: a reverse complement's match has the position of its first
                                   // letter in the query
  bool four_columns = false;       // -F: the name of the sequence even if the reference has only one
  bool query_lengths = false;      // -L: after the name of a query
  bool letters = false;            // -s: the match's letters, lower case, on an additional line
};

/// Matches in the format of the program mummer: "> name" or "> name Reverse" before every strand of a query,
/// then one line per match with the positions, from 1, in the reference and in the strand, and the length;
/// before them the name of the sequence if the reference has several.
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
  std::vector<std::string> prefixes_;  // start of a line, for each sequence; empty if no name is printed
};

}  // namespace gpuseq::exact_match
