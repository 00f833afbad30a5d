#pragma once

#include <vector>

#include "kernels/profile_hmm/cpu/kernel.hpp"
#include "kernels/profile_hmm/data/sequences.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::profile_hmm {

/// Sequences from the longest to the shortest, in batches of similar length, with their codes in order of
/// use. Sequences without residues are left out.
class Batches {
 public:
  /// @param interleave  most sequences per batch: 1, 2 or 4
  /// @param with_used  whether to fill Batch::used, which takes most of the time
  Batches(const Sequences& sequences, u32 interleave, bool with_used);

  u64 count() const { return batches_.size(); }
  const Batch& batch(u64 i) const { return batches_[i]; }
  /// The index in the file of sequence `s` of batch `i`.
  u64 sequence(u64 i, u32 s) const { return order_[first_[i] + s]; }
  /// Residues of a batch including computed padding.
  u64 rows(u64 i) const { return u64{batches_[i].count} * batches_[i].lengths[0]; }
  u64 padding() const { return padding_; }
  u64 bytes() const { return bytes_of(codes_.size(), order_.size(), batches_.size()); }
  static u64 bytes_of(u64 codes, u64 sequences, u64 batches) {
    return codes + sequences * sizeof(u64) + batches * (sizeof(u64) + sizeof(Batch));
  }
  /// Upper bound of codes with padding: the longest sequence of a batch is at most an eighth longer
  /// than the shortest.
  static u64 most_codes(u64 residues, u32 interleave) {
    return interleave == 1 ? residues : residues + residues / 7;
  }

  /// Ranges of batches [begins[j], begins[j + 1]) with at least `least_rows` rows each, as
  /// work items of threads.
  std::vector<u64> pieces(u64 least_rows) const;

 private:
  void group(const Sequences& sequences, u32 interleave);
  void copy(const Sequences& sequences, bool with_used);

  std::vector<u64> order_;
  std::vector<u64> first_;  // for each batch, its first index into order_
  std::vector<Batch> batches_;
  HugeBuffer codes_;
  u64 padding_ = 0;
};

}  // namespace gpuseq::profile_hmm
