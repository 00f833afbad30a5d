#pragma once

#include <vector>

#include "kernels/profile_hmm/cpu/kernel.hpp"
#include "kernels/profile_hmm/data/sequences.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::profile_hmm {

/// Sequences from the longest to the shortest, in batches of about the same length, their codes in the order
/// of their use. Those without residues are left out.
class Batches {
 public:
  /// @param interleave  sequences of a batch: 1, 2 or 4 at most
  /// @param with_used  whether Batch::used is wanted, which takes longer than all else
  Batches(const Sequences& sequences, u32 interleave, bool with_used);

  u64 count() const { return batches_.size(); }
  const Batch& batch(u64 i) const { return batches_[i]; }
  /// The place in the file of a sequence of a batch.
  u64 sequence(u64 i, u32 s) const { return order_[first_[i] + s]; }
  /// Residues of a batch with the padding that is computed too.
  u64 rows(u64 i) const { return u64{batches_[i].count} * batches_[i].lengths[0]; }
  u64 padding() const { return padding_; }
  u64 bytes() const { return bytes_of(codes_.size(), order_.size(), batches_.size()); }
  static u64 bytes_of(u64 codes, u64 sequences, u64 batches) {
    return codes + sequences * sizeof(u64) + batches * (sizeof(u64) + sizeof(Batch));
  }
  /// Codes with padding at most: of a batch the longest has an eighth more than the shortest.
  static u64 most_codes(u64 residues, u32 interleave) {
    return interleave == 1 ? residues : residues + residues / 7;
  }

  /// Ranges of batches [begins[j], begins[j + 1]) with at least so many rows, for threads to take.
  std::vector<u64> pieces(u64 least_rows) const;

 private:
  void group(const Sequences& sequences, u32 interleave);
  void copy(const Sequences& sequences, bool with_used);

  std::vector<u64> order_;
  std::vector<u64> first_;  // of each batch, into order_
  std::vector<Batch> batches_;
  HugeBuffer codes_;
  u64 padding_ = 0;
};

}  // namespace gpuseq::profile_hmm
