#pragma once

#include <span>
#include <vector>

#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/suffix_tree.hpp"
#include "runtime/system/threads.hpp"

// Strands of queries in the kernels' layout (match_policy.cuh: letters, begin, strand_at, slot_begin).

namespace gpuseq::exact_match {

/// Layout of strands: kNoBase, strand, kNoBase, strand, ..., kNoBase. Strand `s` of query `q` has the
/// number q * strands + s. If kernels compute reverse complements, each query is stored once and has
/// one entry in `begin`.
struct StrandLayout {
  std::vector<u64> begin;       // [strands + 1] the first letter of each; last: one past the last kNoBase
  std::vector<u64> slot_begin;  // [strands + 1]
  u32 written = 1;              // stored strands per query

  u64 strands() const { return slot_begin.size() - 1; }
  u64 letters() const { return begin.back() + kTextPadding; }
  u64 slots() const { return slot_begin.back(); }
};
/// @param computed  kernels compute reverse complements
StrandLayout strand_layout(const Queries& queries, const Search& search, bool computed = false);

/// Codes of all stored strands, including reverse complements.
/// @param to  [letters()]
void write_strands(const Queries& queries, const StrandLayout& layout, ThreadPool& pool, std::span<u8> to);

/// The letters of one strand at a time, surrounded by letters that match nothing, like TreeView::text.
class PaddedStrand {
 public:
  /// @param longest  letters of the longest strand
  explicit PaddedStrand(u64 longest) : letters_(longest + 1 + kTextPadding, kNoBase) {}
  /// @param reverse  whether to take the reverse complement of the codes
  /// @returns its first letter
  const u8* take(std::span<const u8> codes, bool reverse);

 private:
  std::vector<u8> letters_;
};

/// The strands sorted by their first 16 letters, equal ones in file order: threads of a warp then begin
/// at the same nodes.
std::vector<u32> sorted_strands(std::span<const u8> letters, std::span<const u64> begin, ThreadPool& pool);

}  // namespace gpuseq::exact_match
