#pragma once

#include <span>
#include <vector>

#include "kernels/exact_match/matches.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

/// Finds matches by a table of the places of all k-mers of a few bases and by comparing letters. Uses no
/// tree, suffix array or suffix link.
class Oracle {
 public:
  /// @param reference  must outlive the oracle
  Oracle(const Reference& reference, const Search& search);

  /// Matches of one strand of a query, sorted.
  std::vector<Match> find(std::span<const u8> strand) const;
  /// Matches of the chosen queries, all strands of each.
  MatchList find(const Queries& queries, std::span<const u64> chosen, ThreadPool& pool) const;

 private:
  u64 occurrences_in_reference(std::span<const u8> word, u64 most) const;
  /// Places of the reference with the k-mer at `word`.
  std::span<const u32> places(const u8* word) const;

  const Reference& reference_;
  Search search_;
  u32 word_letters_;
  std::vector<u64> first_;  // [4^word_letters + 1] index of each k-mer's first place in places_
  std::vector<u32> places_;
};

}  // namespace gpuseq::exact_match
