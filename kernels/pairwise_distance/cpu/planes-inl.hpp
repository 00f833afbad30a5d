// Pairs of instances whose planes lie side by side. Compiled once per Highway target.
#if defined(GPUSEQ_PAIRWISE_DISTANCE_CPU_PLANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PAIRWISE_DISTANCE_CPU_PLANES_INL
#undef GPUSEQ_PAIRWISE_DISTANCE_CPU_PLANES_INL
#else
#define GPUSEQ_PAIRWISE_DISTANCE_CPU_PLANES_INL
#endif

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/planes.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Highway knows 64-bit lanes by this type only, which is another one than u64.
using Words = hn::ScalableTag<std::uint64_t>;
using Word = hn::Vec<Words>;
constexpr u32 kWordLanes = HWY_MAX_BYTES / sizeof(u64);
static_assert(kGroup % kWordLanes == 0);

// The compiler has no name for a function of three operands that it would use on its own here.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// x | (a ^ b)
HWY_INLINE Word or_differing(Word x, Word a, Word b) {
  return Word{_mm512_ternarylogic_epi64(x.raw, a.raw, b.raw, 0xF6)};
}
#else
HWY_INLINE Word or_differing(Word x, Word a, Word b) {
  return hn::Or(x, hn::Xor(a, b));
}
#endif

/// Counts the ones of each 64-bit lane over some words.
#if HWY_TARGET == HWY_AVX3_DL
struct Counter {
  static constexpr bool kCountsWords = true;
  static constexpr u64 kMostWords = std::numeric_limits<u64>::max();
  static HWY_INLINE Word add(Word count, Word x) { return hn::Add(count, hn::PopulationCount(x)); }
  static HWY_INLINE Word sum(Word count) { return count; }
};
#else
/// Two nibbles a byte, by table; bytes are added up while they cannot overflow.
struct Counter {
  static constexpr bool kCountsWords = false;
  static constexpr u64 kMostWords = 255 / 8;
  static HWY_INLINE Word add(Word count, Word x) {
    const hn::Repartition<std::uint8_t, Words> bytes;
    alignas(16) static constexpr u8 kOnes[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const auto table = hn::LoadDup128(bytes, kOnes);
    const Word nibble = hn::Set(Words(), 0x0F0F0F0F0F0F0F0F);
    const auto low = hn::TableLookupBytes(table, hn::BitCast(bytes, hn::And(x, nibble)));
    const auto high = hn::TableLookupBytes(table, hn::BitCast(bytes, hn::And(hn::ShiftRight<4>(x), nibble)));
    return hn::BitCast(Words(), hn::Add(hn::BitCast(bytes, count), hn::Add(low, high)));
  }
  static HWY_INLINE Word sum(Word count) {
    return hn::SumsOf8(hn::BitCast(hn::Repartition<std::uint8_t, Words>(), count));
  }
};
#endif

/// kRows instances against kVectors vectors of them, counts in registers.
template <PlaneScheme kScheme, u32 kPlanes, bool kMissing, u32 kRows, u32 kVectors>
class PlaneTile {
  static constexpr u32 kStored = kPlanes + (kMissing ? 1 : 0), kPairs = kRows * kVectors;
  static constexpr u64 kColumns = u64{kVectors} * kWordLanes;
  static constexpr bool kSquare = kScheme == PlaneScheme::square;
  static_assert(kGroup % kRows == 0 && kInstancePadding % kColumns == 0);
  static_assert(kScheme == PlaneScheme::any || kPlanes == 2);

  template <std::size_t... kIndex>
  using List = std::index_sequence<kIndex...>;

 public:
  static void run(const PlaneJob& job) {
    const auto& [row, rows, column, columns, upper] = job.place;
    const u64 step = std::min(job.words_a_step, Counter::kMostWords / (kScheme == PlaneScheme::sum ? 2 : 1));
    // At least once: instances without attributes have distances of 0.
    for (u64 first = 0; first == 0 || first < job.row_words; first += step)
      for (u64 c = 0; c < columns; c += kColumns)
        for (u64 r = 0; r < rows; r += kRows) {
          if (upper && c + kColumns <= r / kDiagonalSquare * kDiagonalSquare) break;
          PlaneTile(job, first).tile(r, c, std::min(step, job.row_words - first), Pairs());
        }
  }

 private:
  using Pairs = std::make_index_sequence<kPairs>;

  PlaneTile(const PlaneJob& job, u64 first) : job_(job), first_(first) {}

  /// Where words of an instance begin in the first plane.
  HWY_INLINE const u64* words(u64 instance) const {
    return job_.words + (instance / kGroup * job_.row_words + first_) * kStored * kGroup + instance % kGroup;
  }

  // The compiler keeps an array in registers only where every index is a constant from the start: no loops
  // over counts.
  struct Counts {
    Word sum[kPairs], fours[kSquare ? kPairs : 1], compared[kMissing ? kPairs : 1];
  };

  template <std::size_t... kPair>
  HWY_INLINE void tile(u64 r, u64 c, u64 count, List<kPair...>) const {
    const u64 *a = words(job_.place.row + r), *b = words(job_.place.column + c);
    const u64 group = job_.row_words * kStored * kGroup;
    const Word zero = hn::Zero(Words());
    Counts counts;
    ((counts.sum[kPair] = zero), ...);
    if constexpr (kSquare) ((counts.fours[kPair] = zero), ...);
    if constexpr (kMissing) ((counts.compared[kPair] = zero), ...);
    for (u64 w = 0; w < count; ++w, a += kStored * kGroup, b += kStored * kGroup)
      (add<kPair>(counts, a + kPair / kVectors, at(b, kPair % kVectors, group)), ...);
    (store<kPair>(counts, r, c), ...);
  }

  static HWY_INLINE const u64* at(const u64* b, u64 vector, u64 group) {
    const u64 instance = vector * kWordLanes;
    return b + instance / kGroup * group + instance % kGroup;
  }

  static HWY_INLINE Word of_row(const u64* a, u32 plane) { return hn::Set(Words(), a[plane * kGroup]); }
  static HWY_INLINE Word of_columns(const u64* b, u32 plane) {
    return hn::Load(Words(), reinterpret_cast<const std::uint64_t*>(b + plane * kGroup));
  }
  static HWY_INLINE Word differing(const u64* a, const u64* b, u32 plane) {
    return hn::Xor(of_row(a, plane), of_columns(b, plane));
  }

  template <std::size_t... kPlane>
  static HWY_INLINE Word any_differing(const u64* a, const u64* b, List<kPlane...>) {
    Word x = differing(a, b, 0);
    ((x = or_differing(x, of_row(a, kPlane + 1), of_columns(b, kPlane + 1))), ...);
    return x;
  }

  template <std::size_t kPair>
  static HWY_INLINE void add(Counts& counts, const u64* a, const u64* b) {
    Word both = hn::Zero(Words());
    if constexpr (kMissing) {
      both = hn::And(of_row(a, kPlanes), of_columns(b, kPlanes));
      counts.compared[kPair] = Counter::add(counts.compared[kPair], both);
    }
    const auto masked = [both](Word x) HWY_ATTR {
      if constexpr (kMissing) return hn::And(x, both);
      return x;
    };
    Word& sum = counts.sum[kPair];
    if constexpr (kScheme == PlaneScheme::any) {
      sum = Counter::add(sum, masked(any_differing(a, b, std::make_index_sequence<kPlanes - 1>())));
    } else {
      const Word low = masked(differing(a, b, 0)), high = masked(differing(a, b, 1));
      if constexpr (kSquare) {
        sum = Counter::add(sum, hn::Xor(low, high));
        counts.fours[kPair] = Counter::add(counts.fours[kPair], hn::And(low, high));
      } else {
        sum = Counter::add(Counter::add(sum, low), high);
      }
    }
  }

  template <std::size_t kPair>
  HWY_INLINE void store(const Counts& counts, u64 r, u64 c) const {
    const u64 place = (r + kPair / kVectors) * job_.buffer.pitch + c + kPair % kVectors * kWordLanes;
    Word sum = Counter::sum(counts.sum[kPair]);
    if constexpr (kSquare) sum = hn::Add(sum, hn::ShiftLeft<2>(Counter::sum(counts.fours[kPair])));
    put(sum, job_.buffer.sums + place);
    if constexpr (kMissing) put(Counter::sum(counts.compared[kPair]), job_.buffer.compared + place);
  }

  HWY_INLINE void put(Word sums, u32* to) const {
    const hn::Rebind<std::uint32_t, Words> narrow;
    auto sum = hn::TruncateTo(narrow, sums);
    if (first_ > 0) sum = hn::Add(sum, hn::LoadU(narrow, to));
    hn::StoreU(sum, narrow, to);
  }

  const PlaneJob& job_;
  const u64 first_;
};

/// As many counts as registers hold with a tile's operands.
constexpr TileShape kUsualTile{kWordLanes < 8 ? 4 : 8, 2};

template <PlaneScheme kScheme, u32 kPlanes, bool kMissing>
PlaneKernel tile_kernel(TileShape tile) {
  if (tile == kUsualTile)
    return &PlaneTile<kScheme, kPlanes, kMissing, kUsualTile.rows, kUsualTile.columns>::run;
#ifdef GPUSEQ_ALL_SHAPES
  if (tile == TileShape{8, 2}) return &PlaneTile<kScheme, kPlanes, kMissing, 8, 2>::run;
  if (tile == TileShape{4, 4}) return &PlaneTile<kScheme, kPlanes, kMissing, 4, 4>::run;
  if (tile == TileShape{4, 2}) return &PlaneTile<kScheme, kPlanes, kMissing, 4, 2>::run;
  if (tile == TileShape{2, 2}) return &PlaneTile<kScheme, kPlanes, kMissing, 2, 2>::run;
  if (tile == TileShape{1, 1}) return &PlaneTile<kScheme, kPlanes, kMissing, 1, 1>::run;
#endif
  return nullptr;
}

template <PlaneScheme kScheme, u32 kPlanes>
PlaneKernel masked_kernel(bool missing, TileShape tile) {
  return missing ? tile_kernel<kScheme, kPlanes, true>(tile) : tile_kernel<kScheme, kPlanes, false>(tile);
}

PlaneKernel plane_kernel(PlaneScheme scheme, u32 planes, bool missing, TileShape tile) {
  if (scheme == PlaneScheme::sum) return masked_kernel<PlaneScheme::sum, 2>(missing, tile);
  if (scheme == PlaneScheme::square) return masked_kernel<PlaneScheme::square, 2>(missing, tile);
  switch (planes) {
    case 1:
      return masked_kernel<PlaneScheme::any, 1>(missing, tile);
    case 2:
      return masked_kernel<PlaneScheme::any, 2>(missing, tile);
    case 3:
      return masked_kernel<PlaneScheme::any, 3>(missing, tile);
    case 4:
      return masked_kernel<PlaneScheme::any, 4>(missing, tile);
    case 5:
      return masked_kernel<PlaneScheme::any, 5>(missing, tile);
    case 8:
      return masked_kernel<PlaneScheme::any, 8>(missing, tile);
  }
  return nullptr;
}

}  // namespace gpuseq::pairwise_distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
