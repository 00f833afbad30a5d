#pragma once

#include <span>
#include <vector>

#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/suffix_tree.hpp"
#include "runtime/system/threads.hpp"

// Strands of queries as kernels read them (match_policy.cuh: letters, begin, strand_at, slot_begin).

namespace gpuseq::exact_match {

/// Where strands lie: kNoBase, strand, kNoBase, strand, ..., kNoBase. The strand `s` of the query `q` has the
/// number q * strands + s. Reverse complements may be left to be computed: then each query lies there once,
/// and `begin` has one for each query.
struct StrandLayout {
  std::vector<u64> begin;       // [strands + 1] the first letter of each; last: one behind the last kNoBase
  std::vector<u64> slot_begin;  // [strands + 1]
  u32 written = 1;              // strands of each query that lie there

  u64 strands() const { return slot_begin.size() - 1; }
  u64 letters() const { return begin.back() + kTextPadding; }
  u64 slots() const { return slot_begin.back(); }
};
/// @param computed  reverse complements are
StrandLayout strand_layout(const Queries& queries, const Search& search, bool computed = false);

/// Codes of all strands that are written, reverse complements too.
/// @param to  [letters()]
void write_strands(const Queries& queries, const StrandLayout& layout, ThreadPool& pool, std::span<u8> to);

/// The letters of one strand at a time, with others around that match nothing, as TreeView::text has them.
class PaddedStrand {
 public:
  /// @param longest  letters of the longest strand
  explicit PaddedStrand(u64 longest) : letters_(longest + 1 + kTextPadding, kNoBase) {}
  /// @param reverse  wants the reverse complement of the codes
  /// @returns its first letter
  const u8* take(std::span<const u8> codes, bool reverse);

 private:
  std::vector<u8> letters_;
};

/// The strands by their first 16 letters, those that are equal as they come: threads that run together begin
/// at the same nodes.
std::vector<u32> sorted_strands(std::span<const u8> letters, std::span<const u64> begin, ThreadPool& pool);

}  // namespace gpuseq::exact_match
