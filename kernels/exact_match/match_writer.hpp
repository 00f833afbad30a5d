#pragma once

#include <string>

#include "kernels/exact_match/matches.hpp"

namespace gpuseq::exact_match {

/// Matches as the program mummer prints them: "> name" or "> name Reverse" before every strand of a query,
/// then a line a match with the positions, from 1, in the reference and in the strand and the length; before
/// them the name of the sequence where the reference has several.
class MatchWriter {
 public:
  /// @param reference  must outlive the writer
  MatchWriter(const Reference& reference, const Search& search);

  /// Appends the strands [begin, end) of a list of all the queries.
  void write(std::string& out, const Queries& queries, const MatchList& list, u64 begin, u64 end) const;

 private:
  void write_match(std::string& out, const Match& match) const;

  const Reference& reference_;
  u32 strands_;
  std::vector<std::string> prefixes_;  // of a line, for each sequence; empty where there is one
};

}  // namespace gpuseq::exact_match
