// The LF step of the one-hot layout: one block per query, counted across the vector. Compiled once per
// Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_ONE_HOT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_ONE_HOT_INL
#undef GPUSEQ_FM_INDEX_CPU_ONE_HOT_INL
#else
#define GPUSEQ_FM_INDEX_CPU_ONE_HOT_INL
#endif

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/batch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

template <KernelShape shape>
class OneHotLanes {
 public:
  static constexpr KernelShape kShape = shape;

  /// The blocks that hold the ends of the lanes' intervals.
  struct Place {
    struct End {
      HWY_ALIGN LaneArray block;   // its offset in bytes
      HWY_ALIGN LaneArray number;  // its number within its word
      HWY_ALIGN LaneArray bits;    // bits before the end, the counter's 32 included
    };
    End low, high;
    HWY_ALIGN LaneArray high_bits;  // of h, from the block of l
    bool apart;                     // in some lane h is not in the block of l: `high` is set
  };

  explicit OneHotLanes(const SearchJob& job)
      : index_(job.index),
        prefetch_to_l1_(job.prefetch_to_l1),
        by_chunks_(kRows / 32),
        blocks_per_superblock_(shape.wide ? job.index.superblock_rows / kRows : 1) {}

  HWY_INLINE void locate(V l, V h, V word, Place& place) const {
    const V bits = locate_end(l, word, place.low);
    const V high_bits = hn::Add(bits, hn::Sub(h, l));
    hn::Store(high_bits, d, place.high_bits);
    place.apart = !hn::AllFalse(d, greater(high_bits, hn::Set(d, kRows + 32)));
    if (place.apart) [[unlikely]]
      locate_end(h, word, place.high);
  }

  HWY_INLINE void advance(const Place& place, V word, V& l, V& h) const {
    if (!place.apart) [[likely]] {
      const V base = counter(place.low, word);
      l = hn::Add(base, count(place.low.block, place.low.bits));
      h = hn::Add(base, count(place.low.block, place.high_bits));
    } else {
      l = hn::Add(counter(place.low, word), count(place.low.block, place.low.bits));
      h = hn::Add(counter(place.high, word), count(place.high.block, place.high.bits));
    }
  }

 private:
  using End = typename Place::End;
  static constexpr Lanes d{};
  static constexpr std::uint64_t kRows = shape.one_hot_d;
  static constexpr std::size_t kBlockWords = (kRows + 32) / 64;
  /// A block is one vector, or several where vectors are shorter.
  using Block = hn::CappedTag<std::uint64_t, kBlockWords>;
  static constexpr std::size_t kBlockLanes = hn::MaxLanes(Block());
  /// Sums of that many bits hold the rows of a block, so that counts of several queries add up side by side.
  static constexpr u32 kFieldBits = kRows < 256 ? 8 : 16;
  static constexpr std::size_t kFields = std::min<std::size_t>(64 / kFieldBits, kLanes);

  /// @returns the bits before the position in its block
  HWY_INLINE V locate_end(V position, V word, End& end) const {
    const V number = by_chunks_(hn::ShiftRight<5>(position));
    const V row = hn::Sub(position, multiply<shape.wide>(number, hn::Set(d, kRows)));
    const V bits = hn::Add(row, hn::Set(d, 32));
    V first = multiply<false>(word, hn::Set(d, index_.blocks_per_word));
    if constexpr (shape.wide)
      first =
          hn::Add(first, hn::ShiftLeft<32>(multiply<false>(word, hn::Set(d, index_.blocks_per_word >> 32))));
    const V block = hn::ShiftLeft < kRows == 224 ? 5 : 6 > (hn::Add(first, number));
    hn::Store(block, d, end.block);
    hn::Store(bits, d, end.bits);
    if constexpr (shape.wide) hn::Store(number, d, end.number);
    prefetch_lanes(index_.entries, end.block, prefetch_to_l1_);
    return bits;
  }

  /// Set bits of each lane's block before its `bits`, the counter left out.
  HWY_INLINE V count(const LaneArray& block, const LaneArray& bits) const {
    V sums = field_sums(block, bits);
    for (std::size_t first = kFields; first < kLanes; first += kFields)
      sums = hn::IfThenElse(hn::FirstN(d, first), sums, field_sums(block + first, bits + first));
    const V field = hn::And(hn::Iota(d, 0), hn::Set(d, kFields - 1));
    return hn::And(hn::Shr(sums, multiply<false>(field, hn::Set(d, kFieldBits))),
                   hn::Set(d, (1u << kFieldBits) - 1));
  }

  /// In every lane: the counts of kFields queries side by side.
  HWY_INLINE V field_sums(const std::uint64_t* block, const std::uint64_t* bits) const {
    auto fields = count_one(block[0], bits[0]);
    add_fields<1>(fields, block, bits);
    return hn::Set(d, hn::GetLane(hn::SumOfLanes(Block(), fields)));
  }

  template <std::size_t i>
  HWY_INLINE void add_fields(hn::Vec<Block>& fields, const std::uint64_t* block,
                             const std::uint64_t* bits) const {
    if constexpr (i < kFields) {
      fields = hn::Add(fields, hn::ShiftLeft<static_cast<int>(kFieldBits * i)>(count_one(block[i], bits[i])));
      add_fields<i + 1>(fields, block, bits);
    }
  }

  HWY_INLINE hn::Vec<Block> count_one(u64 block, std::uint64_t bits) const {
    alignas(64) static constexpr std::uint64_t kEnds[8] = {64, 128, 192, 256, 320, 384, 448, 512};
    alignas(64) static constexpr std::uint64_t kCounted[8] = {~u64{0} << 32, ~u64{0}, ~u64{0}, ~u64{0},
                                                              ~u64{0},       ~u64{0}, ~u64{0}, ~u64{0}};
    constexpr Block b;
    const hn::Repartition<std::uint16_t, Block> b16;
    const auto before = hn::BitCast(b16, hn::Set(b, bits));
    auto total = hn::Zero(b);
    for (std::size_t part = 0; part < kBlockWords; part += kBlockLanes) {
      const auto absent =
          hn::BitCast(b, hn::SaturatedSub(hn::BitCast(b16, hn::Load(b, kEnds + part)), before));
      const auto mask = hn::Shr(hn::Set(b, ~std::uint64_t{0}), absent);
      const auto rows = load_from(b, index_.entries + block + 8 * part);
      total = hn::Add(total, count_bits(hn::And(hn::And(rows, mask), hn::Load(b, kCounted + part))));
    }
    return total;
  }

  HWY_INLINE V counter(const End& end, V word) const {
    V count = hn::And(load_lanes(d, index_.entries, end.block), hn::Set(d, 0xFFFFFFFF));
    if constexpr (shape.wide) {
      HWY_ALIGN LaneArray at, words;
      hn::Store(word, d, words);
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        at[lane] = 8 * ((end.number[lane] / blocks_per_superblock_ << (2 * shape.k)) + words[lane]);
      count = hn::Add(count, load_lanes(d, reinterpret_cast<const u8*>(index_.superblocks), at));
    }
    return count;
  }

  const IndexView& index_;
  bool prefetch_to_l1_;
  LaneDivision<shape.wide> by_chunks_;
  u64 blocks_per_superblock_;
};

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
