// Blocks of the matrix to their places. Compiled once per Highway target.
#if defined(GPUSEQ_PAIRWISE_DISTANCE_CPU_OUTPUT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PAIRWISE_DISTANCE_CPU_OUTPUT_INL
#undef GPUSEQ_PAIRWISE_DISTANCE_CPU_OUTPUT_INL
#else
#define GPUSEQ_PAIRWISE_DISTANCE_CPU_OUTPUT_INL
#endif

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/blocks.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Writes pieces of a block. Rows and columns count from the block's first.
class BlockOutput {
 public:
  explicit BlockOutput(const BlockWrite& write)
      : from_(write.from),
        pitch_(write.pitch),
        count_(write.count),
        place_(write.matrix + write.place.row * write.count + write.place.column),
        mirror_(write.matrix + write.place.column * write.count + write.place.row) {}

  HWY_INLINE void row(u64 r, u64 first, u64 end) const {
    std::copy(from_ + r * pitch_ + first, from_ + r * pitch_ + end, place_ + r * count_ + first);
  }

  /// A square of 4 x 4, transposed.
  HWY_INLINE void square(u64 r, u64 c) const {
    const hn::Full128<std::uint32_t> d;
    const hn::Full128<std::uint64_t> pairs;
    const u32* from = from_ + r * pitch_ + c;
    const auto row0 = hn::LoadU(d, from), row1 = hn::LoadU(d, from + pitch_);
    const auto row2 = hn::LoadU(d, from + 2 * pitch_), row3 = hn::LoadU(d, from + 3 * pitch_);
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, row0, row1));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, row2, row3));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, row0, row1));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, row2, row3));
    u32* to = mirror_ + c * count_ + r;
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + count_);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * count_);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * count_);
  }

  /// Rows [first, end) of four columns, or fewer at the edge, transposed: whole lines of the mirror image.
  HWY_INLINE void columns(u64 c, u64 columns, u64 first, u64 end) const {
    u64 r = first;
    if (columns == 4)
      for (; r + 4 <= end; r += 4) square(r, c);
    for (; r < end; ++r)
      for (u64 i = 0; i < columns; ++i) mirror_[(c + i) * count_ + r] = from_[r * pitch_ + c + i];
  }

 private:
  const u32* from_;
  u64 pitch_, count_;
  u32 *place_, *mirror_;
};

inline void write_block(const BlockWrite& write) {
  static_assert(kDiagonalSquare == 4, "the square that is mirrored");
  const BlockOutput output(write);
  const bool upper = write.written == Written::upper;
  const auto& [row, rows, column, columns, same] = write.place;
  for (u64 r = 0; r < rows; ++r) output.row(r, upper ? r / 4 * 4 : 0, columns);
  if (write.written == Written::plain) return;
  for (u64 c = 0; c < columns; c += 4) output.columns(c, std::min<u64>(4, columns - c), 0, upper ? c : rows);
}

}  // namespace gpuseq::pairwise_distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
