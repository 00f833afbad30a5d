// Pairs of instances, a byte for each attribute. Compiled once per Highway target.
#if defined(GPUSEQ_PAIRWISE_DISTANCE_CPU_BYTES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PAIRWISE_DISTANCE_CPU_BYTES_INL
#undef GPUSEQ_PAIRWISE_DISTANCE_CPU_BYTES_INL
#else
#define GPUSEQ_PAIRWISE_DISTANCE_CPU_BYTES_INL
#endif

#include <algorithm>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/bytes.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<std::uint8_t>;
using Byte = hn::Vec<Bytes>;
// Sums, which wrap around: those of a problem fit 32 bits, so that they are right at the end.
using Sums = hn::Repartition<std::int32_t, Bytes>;
using Sum = hn::Vec<Sums>;
using Halves = hn::Repartition<std::int16_t, Bytes>;
constexpr u64 kVectorBytes = HWY_MAX_BYTES;
static_assert(kByteRow % kVectorBytes == 0);

HWY_INLINE Sum added_up(Byte count) {
  return hn::BitCast(Sums(), hn::SumsOf8(count));
}

/// 1 where codes differ; 0 in bytes that `both` lacks.
struct Differ {
  static constexpr bool kInBytes = true;
  static HWY_INLINE Byte of(Byte a, Byte b) { return hn::Min(hn::Xor(a, b), hn::Set(Bytes(), 1)); }
};

HWY_INLINE Byte absolute_difference(Byte a, Byte b) {
  return hn::Sub(hn::Max(a, b), hn::Min(a, b));
}

struct Absolute {
  static constexpr bool kInBytes = true;
  static HWY_INLINE Byte of(Byte a, Byte b) { return absolute_difference(a, b); }
};

struct Table {
  static constexpr bool kInBytes = true;
  static HWY_INLINE Byte of(Byte a, Byte b) {
    alignas(16) static constexpr u8 kSquares[16] = {0,  1,  4,   9,   16,  25,  36,  49,
                                                    64, 81, 100, 121, 144, 169, 196, 225};
    return hn::TableLookupBytes(hn::LoadDup128(Bytes(), kSquares), absolute_difference(a, b));
  }
};

struct Square {
  static constexpr bool kInBytes = false;
  static HWY_INLINE Byte of(Byte a, Byte b) { return absolute_difference(a, b); }
  /// Squares of all bytes, in the lanes of a vector of sums.
  static HWY_INLINE Sum squares(Byte difference) {
    const auto halves = hn::BitCast(Halves(), difference);
    const auto low = hn::And(halves, hn::Set(Halves(), 255));
    const auto high = hn::BitCast(
        Halves(), hn::ShiftRight<8>(hn::BitCast(hn::Repartition<std::uint16_t, Bytes>(), difference)));
    return hn::Add(multiplied(low), multiplied(high));
  }

 private:
  static HWY_INLINE Sum multiplied(hn::Vec<Halves> x) {
    Sum other = hn::Zero(Sums());
    const Sum sum = hn::ReorderWidenMulAccumulate(Sums(), x, x, hn::Zero(Sums()), other);
    return hn::Add(sum, other);
  }
};

/// kRows instances against kColumns others, sums in registers.
template <class Operation, bool kMissing, u32 kRows, u32 kColumns>
class ByteTile {
  static constexpr u32 kPairs = kRows * kColumns;
  static_assert(kInstancePadding % kRows == 0 && kInstancePadding % kColumns == 0);

  template <std::size_t... kIndex>
  using List = std::index_sequence<kIndex...>;

 public:
  static void run(const ByteJob& job) {
    const auto& [row, rows, column, columns, upper] = job.place;
    // At least once: instances without attributes have distances of 0.
    for (u64 first = 0; first == 0 || first < job.row_bytes; first += job.attributes_a_step)
      for (u64 c = 0; c < columns; c += kColumns)
        for (u64 r = 0; r < rows; r += kRows) {
          if (upper && c + kColumns <= r / kDiagonalSquare * kDiagonalSquare) break;
          ByteTile(job, first).tile(r, c, Pairs());
        }
  }

 private:
  using Pairs = std::make_index_sequence<kPairs>;

  ByteTile(const ByteJob& job, u64 first)
      : job_(job), first_(first), end_(std::min(job.row_bytes, first + job.attributes_a_step)) {}

  // The compiler keeps an array in registers only where every index is a constant from the start: no loops
  // over counts.
  struct Counts {
    Byte sum[kPairs], compared[kMissing ? kPairs : 1];
  };
  struct WideCounts {
    Sum sum[kPairs], compared[kMissing ? kPairs : 1];
  };

  template <std::size_t... kPair>
  HWY_INLINE void tile(u64 r, u64 c, List<kPair...>) const {
    const u64 a = (job_.place.row + r) * job_.pitch, b = (job_.place.column + c) * job_.pitch;
    WideCounts wide;
    ((wide.sum[kPair] = hn::Zero(Sums())), ...);
    if constexpr (kMissing) ((wide.compared[kPair] = hn::Zero(Sums())), ...);
    for (u64 at = first_; at < end_;) {
      const u64 end = std::min(end_, at + job_.vectors_a_sum * kVectorBytes);
      Counts counts;
      ((counts.sum[kPair] = hn::Zero(Bytes())), ...);
      if constexpr (kMissing) ((counts.compared[kPair] = hn::Zero(Bytes())), ...);
      do {
        (add<kPair>(counts, wide, a + kPair / kColumns * job_.pitch + at,
                    b + kPair % kColumns * job_.pitch + at),
         ...);
        at += kVectorBytes;
      } while (at < end);
      if constexpr (Operation::kInBytes)
        ((wide.sum[kPair] = hn::Add(wide.sum[kPair], added_up(counts.sum[kPair]))), ...);
      if constexpr (kMissing)
        ((wide.compared[kPair] = hn::Add(wide.compared[kPair], added_up(counts.compared[kPair]))), ...);
    }
    (store<kPair>(wide, r, c), ...);
  }

  template <std::size_t kPair>
  HWY_INLINE void add(Counts& counts, WideCounts& wide, u64 a, u64 b) const {
    const Bytes d;
    Byte x = Operation::of(hn::Load(d, job_.codes + a), hn::Load(d, job_.codes + b));
    if constexpr (kMissing) {
      const Byte both = hn::And(hn::Load(d, job_.values + a), hn::Load(d, job_.values + b));
      x = hn::And(x, both);
      counts.compared[kPair] = hn::Sub(counts.compared[kPair], both);  // 255 is -1
    }
    if constexpr (Operation::kInBytes)
      counts.sum[kPair] = hn::Add(counts.sum[kPair], x);
    else
      wide.sum[kPair] = hn::Add(wide.sum[kPair], Operation::squares(x));
  }

  template <std::size_t kPair>
  HWY_INLINE void store(const WideCounts& wide, u64 r, u64 c) const {
    const u64 place = (r + kPair / kColumns) * job_.buffer.pitch + c + kPair % kColumns;
    put(wide.sum[kPair], job_.buffer.sums + place);
    if constexpr (kMissing) put(wide.compared[kPair], job_.buffer.compared + place);
  }

  HWY_INLINE void put(Sum sums, u32* to) const {
    const u32 sum = static_cast<u32>(hn::GetLane(hn::SumOfLanes(Sums(), sums)));
    *to = first_ > 0 ? *to + sum : sum;
  }

  const ByteJob& job_;
  const u64 first_, end_;
};

/// The fastest tile. Sums in bytes and in words are in registers; missing values need as many again.
constexpr TileShape usual_byte_tile(bool missing) {
  return kVectorBytes < 64 || missing ? TileShape{1, 4} : TileShape{2, 4};
}

template <class Operation, bool kMissing>
ByteKernel byte_tile_kernel(TileShape tile) {
  constexpr TileShape kUsual = usual_byte_tile(kMissing);
  if (tile == kUsual) return &ByteTile<Operation, kMissing, kUsual.rows, kUsual.columns>::run;
#ifdef GPUSEQ_ALL_SHAPES
  if (tile == TileShape{4, 4}) return &ByteTile<Operation, kMissing, 4, 4>::run;
  if (tile == TileShape{2, 4}) return &ByteTile<Operation, kMissing, 2, 4>::run;
  if (tile == TileShape{2, 2}) return &ByteTile<Operation, kMissing, 2, 2>::run;
  if (tile == TileShape{1, 4}) return &ByteTile<Operation, kMissing, 1, 4>::run;
  if (tile == TileShape{1, 1}) return &ByteTile<Operation, kMissing, 1, 1>::run;
#endif
  return nullptr;
}

template <class Operation>
ByteKernel byte_kernel_of(bool missing, TileShape tile) {
  return missing ? byte_tile_kernel<Operation, true>(tile) : byte_tile_kernel<Operation, false>(tile);
}

ByteKernel byte_kernel(ByteOperation operation, bool missing, TileShape tile) {
  switch (operation) {
    case ByteOperation::differ:
      return byte_kernel_of<Differ>(missing, tile);
    case ByteOperation::absolute:
      return byte_kernel_of<Absolute>(missing, tile);
    case ByteOperation::table:
      return byte_kernel_of<Table>(missing, tile);
    case ByteOperation::square:
      break;
  }
  return byte_kernel_of<Square>(missing, tile);
}

}  // namespace gpuseq::pairwise_distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
