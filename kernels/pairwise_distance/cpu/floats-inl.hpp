// Pairs of instances, a 32-bit floating point number for each attribute. Compiled once per Highway target.
#if defined(GPUSEQ_PAIRWISE_DISTANCE_CPU_FLOATS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PAIRWISE_DISTANCE_CPU_FLOATS_INL
#undef GPUSEQ_PAIRWISE_DISTANCE_CPU_FLOATS_INL
#else
#define GPUSEQ_PAIRWISE_DISTANCE_CPU_FLOATS_INL
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/floats.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Float = hn::Vec<Floats>;
using FloatCounts = hn::RebindToSigned<Floats>;
using FloatCount = hn::Vec<FloatCounts>;
constexpr u64 kLanes = HWY_MAX_BYTES / sizeof(float);
static_assert(kFloatRow % kLanes == 0);

/// The value added to the sum of a lane.
template <FloatOperation operation>
HWY_INLINE Float added(Float difference, Float sum) {
  if constexpr (operation == FloatOperation::differ)
    return hn::Add(sum, hn::Min(hn::Abs(difference), hn::Set(Floats(), 1.0f)));
  else if constexpr (operation == FloatOperation::absolute)
    return hn::Add(sum, hn::Abs(difference));
  else
    return hn::MulAdd(difference, difference, sum);
}

/// kRows instances against kColumns others, sums in registers.
template <FloatOperation operation, bool kMissing, u32 kRows, u32 kColumns>
class FloatTile {
  static constexpr u32 kPairs = kRows * kColumns;
  static constexpr bool kReal = operation == FloatOperation::root;
  static_assert(kInstancePadding % kRows == 0 && kInstancePadding % kColumns == 0);

  template <std::size_t... kIndex>
  using List = std::index_sequence<kIndex...>;

 public:
  static void run(const FloatJob& job) {
    const auto& [row, rows, column, columns, upper] = job.place;
    for (u64 first = 0; first < job.row_floats; first += job.attributes_a_step)
      for (u64 c = 0; c < columns; c += kColumns)
        for (u64 r = 0; r < rows; r += kRows) {
          if (upper && c + kColumns <= r / kDiagonalSquare * kDiagonalSquare) break;
          FloatTile(job, first).tile(r, c, std::make_index_sequence<kPairs>());
        }
  }

 private:
  FloatTile(const FloatJob& job, u64 first)
      : job_(job), first_(first), end_(std::min(job.row_floats, first + job.attributes_a_step)) {}

  // The compiler keeps an array in registers only where every index is a constant from the start: no loops
  // over sums.
  struct Sums {
    Float sum[kPairs];
    FloatCount compared[kMissing ? kPairs : 1];
  };

  template <std::size_t... kPair>
  HWY_INLINE void tile(u64 r, u64 c, List<kPair...>) const {
    const float* const a = job_.values + (job_.place.row + r) * job_.pitch;
    const float* const b = job_.values + (job_.place.column + c) * job_.pitch;
    Sums sums;
    ((sums.sum[kPair] = hn::Zero(Floats())), ...);
    if constexpr (kMissing) ((sums.compared[kPair] = hn::Zero(FloatCounts())), ...);
    for (u64 at = first_; at < end_; at += kLanes)
      (add<kPair>(sums, a + kPair / kColumns * job_.pitch + at, b + kPair % kColumns * job_.pitch + at), ...);
    (store<kPair>(sums, r, c), ...);
  }

  template <std::size_t kPair>
  HWY_INLINE void add(Sums& sums, const float* a, const float* b) const {
    const Floats d;
    Float difference = hn::Sub(hn::Load(d, a), hn::Load(d, b));
    if constexpr (kMissing) {
      const auto both = hn::Eq(difference, difference);  // no number where either is none
      difference = hn::IfThenElseZero(both, difference);
      sums.compared[kPair] =
          hn::Sub(sums.compared[kPair], hn::BitCast(FloatCounts(), hn::VecFromMask(d, both)));
    }
    sums.sum[kPair] = added<operation>(difference, sums.sum[kPair]);
  }

  template <std::size_t kPair>
  HWY_INLINE void store(const Sums& sums, u64 r, u64 c) const {
    const u64 place = (r + kPair / kColumns) * job_.buffer.pitch + c + kPair % kColumns;
    u32& to = job_.buffer.sums[place];
    if constexpr (kReal) {
      float sum = hn::GetLane(hn::SumOfLanes(Floats(), sums.sum[kPair]));
      if (first_ > 0) sum += std::bit_cast<float>(to);
      to = std::bit_cast<u32>(end_ == job_.row_floats ? std::sqrt(sum) : sum);
    } else {
      to = (first_ > 0 ? to : 0) + whole(hn::ConvertTo(FloatCounts(), sums.sum[kPair]));
    }
    if constexpr (kMissing) {
      u32& compared = job_.buffer.compared[place];
      compared = (first_ > 0 ? compared : 0) + whole(sums.compared[kPair]);
    }
  }

  static HWY_INLINE u32 whole(FloatCount count) {
    return static_cast<u32>(hn::GetLane(hn::SumOfLanes(FloatCounts(), count)));
  }

  const FloatJob& job_;
  const u64 first_, end_;
};

/// The fastest tile: its sums and one vector per column fill the registers, 32 with AVX-512 and 16 without.
/// Missing values need as many counts as sums.
constexpr TileShape usual_float_tile(bool missing) {
  if (kLanes == 16) return missing ? TileShape{2, 4} : TileShape{4, 4};
  return missing ? TileShape{1, 4} : TileShape{2, 4};
}

template <FloatOperation operation, bool kMissing>
FloatKernel float_tile_kernel(TileShape tile) {
  constexpr TileShape kUsual = usual_float_tile(kMissing);
  if (tile == kUsual) return &FloatTile<operation, kMissing, kUsual.rows, kUsual.columns>::run;
#ifdef GPUSEQ_ALL_SHAPES
  if (tile == TileShape{4, 4}) return &FloatTile<operation, kMissing, 4, 4>::run;
  if (tile == TileShape{2, 4}) return &FloatTile<operation, kMissing, 2, 4>::run;
  if (tile == TileShape{2, 2}) return &FloatTile<operation, kMissing, 2, 2>::run;
  if (tile == TileShape{1, 4}) return &FloatTile<operation, kMissing, 1, 4>::run;
  if (tile == TileShape{1, 1}) return &FloatTile<operation, kMissing, 1, 1>::run;
#endif
  return nullptr;
}

template <FloatOperation operation>
FloatKernel float_kernel_of(bool missing, TileShape tile) {
  return missing ? float_tile_kernel<operation, true>(tile) : float_tile_kernel<operation, false>(tile);
}

FloatKernel float_kernel(FloatOperation operation, bool missing, TileShape tile) {
  switch (operation) {
    case FloatOperation::differ:
      return float_kernel_of<FloatOperation::differ>(missing, tile);
    case FloatOperation::absolute:
      return float_kernel_of<FloatOperation::absolute>(missing, tile);
    case FloatOperation::square:
      return float_kernel_of<FloatOperation::square>(missing, tile);
    case FloatOperation::root:
      break;
  }
  return float_kernel_of<FloatOperation::root>(missing, tile);
}

}  // namespace gpuseq::pairwise_distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
