#include "kernels/profile_hmm/cpu/batches.hpp"

#include <algorithm>
#include <cstring>

namespace gpuseq::profile_hmm {

Batches::Batches(const Sequences& sequences, u32 interleave, bool with_used) {
  order_.reserve(sequences.count());
  for (u64 i = 0; i < sequences.count(); ++i)
    if (sequences.length(i) > 0) order_.push_back(i);
  std::ranges::stable_sort(order_, std::ranges::greater(), [&](u64 i) { return sequences.length(i); });
  group(sequences, interleave);
  copy(sequences, with_used);
}

/// A batch takes as long as its longest sequence: up to an eighth of it may be padding.
void Batches::group(const Sequences& sequences, u32 interleave) {
  for (u64 first = 0; first < order_.size();) {
    const u64 longest = sequences.length(order_[first]);
    u32 count = interleave;
    while (count > 1 && (first + count > order_.size() ||
                         u64{sequences.length(order_[first + count - 1])} * 8 < longest * 7))
      count /= 2;
    Batch batch{.count = count};
    for (u32 s = 0; s < count; ++s) batch.lengths[s] = sequences.length(order_[first + s]);
    batches_.push_back(batch);
    first_.push_back(first);
    first += count;
  }
}

void Batches::copy(const Sequences& sequences, bool with_used) {
  u64 bytes = 0;
  for (u64 i = 0; i < count(); ++i) bytes += rows(i);
  codes_ = HugeBuffer(bytes, bytes < (1 << 20) ? Pages::small : Pages::huge);
  u8* next = reinterpret_cast<u8*>(codes_.data());
  for (u64 i = 0; i < count(); ++i) {
    Batch& batch = batches_[i];
    for (u32 s = 0; s < batch.count; ++s) {
      const std::span<const u8> codes = sequences.row(sequence(i, s));
      std::ranges::copy(codes, next);
      std::memset(next + codes.size(), kPadding, batch.lengths[0] - codes.size());
      padding_ += batch.lengths[0] - codes.size();
      batch.codes[s] = next;
      if (with_used)
        for (const u8 code : codes) batch.used[s] |= 1u << code;
      batch.models[s] = length_model(batch.lengths[s]);
      next += batch.lengths[0];
    }
  }
}

std::vector<u64> Batches::pieces(u64 least_rows) const {
  std::vector<u64> begins{0};
  u64 gathered = 0;
  for (u64 i = 0; i < count(); ++i) {
    gathered += rows(i);
    if (gathered < least_rows && i + 1 < count()) continue;
    begins.push_back(i + 1);
    gathered = 0;
  }
  return begins;
}

}  // namespace gpuseq::profile_hmm
