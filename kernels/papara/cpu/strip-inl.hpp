// The inner loop of `blocked`: some rows of the matrix in registers, which move through a block of columns.
// Compiled once per Highway target.
#if defined(GPUSEQ_PAPARA_CPU_STRIP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PAPARA_CPU_STRIP_INL
#undef GPUSEQ_PAPARA_CPU_STRIP_INL
#else
#define GPUSEQ_PAPARA_CPU_STRIP_INL
#endif

#include <algorithm>
#include <array>

#include "kernels/papara/cpu/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::papara::HWY_NAMESPACE {

/// Data of a block of columns for all queries of a tile, one vector per column; all but `line` are computed
/// once per block. Lanes hold potentials: a value v in row r of a strip and column i is the score v - zero +
/// (r + 1) insertion + P(i), where P sums the extension costs since the last multiple of rebase_columns.
template <typename T>
struct BlockCosts {
  u32 begin = 0, end = 0;                // columns
  u32 pitch = 0;                         // lanes between the costs of two query codes
  std::array<u32, kMostCodes> offset{};  // query code -> its costs in `align`
  T* align = nullptr;                    // M + CG minus extension and insertion
  T* open = nullptr;                     // opening minus extension, of the next column
  T* potential = nullptr;                // P
  T* total = nullptr;                    // P over each run of rebase_columns
  T* line = nullptr;                     // scores of the row above a strip; later of its last row
};

/// The right edge of the previous block: S and D per row, and the best score of the query so far.
template <typename T>
struct QueryEdge {
  T* s = nullptr;
  T* d = nullptr;
  T* best = nullptr;
};

/// Position of a strip of rows in a query and in a block.
template <typename T>
struct StripPlace {
  const BlockCosts<T>& costs;
  const LaneArithmetic& arithmetic;
  const u8* bases;  // bases of the strip's rows
  u32 row;          // the first row
  u32 width;        // sites - bases: row j is reachable at columns j ... j + width
  V<T> insertion;   // insertion costs of all rows of the strip
};

/// Up to 8 rows of the matrix in registers, which move from column to column.
template <typename T, u32 kRows>
class Strip {
 public:
  static constexpr std::size_t N = kLanes<T>;
  /// Latency chains, as the CPU overlaps columns: two minima from row to row and one from column to column;
  /// or one minimum and four operations, which a strip of many rows hides.
  static constexpr bool kShortDownwards = kRows >= 8;

  HWY_INLINE explicit Strip(const StripPlace<T>& place) : at_(place) {
    for (u32 r = 0; r < kRows; ++r) align_[r] = place.costs.align + place.costs.offset[place.bases[r]];
  }

  /// Runs the strip through its part of the block. @param corner  S of the row above, one column left of the
  /// block; replaced by S of the strip's last row
  HWY_INLINE void run(QueryEdge<T> edge, V<T>& corner) {
    const Lanes<T> d;
    const BlockCosts<T>& costs = at_.costs;
    const u32 begin = std::max(costs.begin, at_.row), end = std::min(costs.end, at_.row + kRows + at_.width);
    T* const edge_s = edge.s + at_.row * N;
    T* const edge_d = edge.d + at_.row * N;
    const V<T> last = add<T>(hn::Load(d, edge_s + (kRows - 1) * N), at_.insertion);
    above_ = begin == costs.begin ? corner : hn::Load(d, costs.line + (begin - 1 - costs.begin) * N);
    HWY_UNROLL(8) for (u32 r = 0; r < kRows; ++r) {
      s_[r] = hn::Load(d, edge_s + r * N);
      d_[r] = hn::Load(d, edge_d + r * N);
    }
    corner = last;
    const u32 all_begun = std::clamp(at_.row + kRows - 1, begin, end);
    const u32 one_ended = std::clamp(at_.row + at_.width + 1, all_begun, end);
    run_ = (std::max(begin, costs.begin + 1) - 1 - costs.begin) / at_.arithmetic.rebase_columns;
    run_end_ = costs.begin + (run_ + 1) * at_.arithmetic.rebase_columns;
    columns<true>(begin, all_begun);
    columns<false>(all_begun, one_ended);
    columns<true>(one_ended, end);
    const V<T> infinity = set<T>(at_.arithmetic.infinity);
    const V<T> total = hn::Load(d, costs.total + run_ * N);
    const bool ended = end < costs.end;
    HWY_UNROLL(8) for (u32 r = 0; r < kRows; ++r) {
      hn::Store(ended ? infinity : add<T>(s_[r], total), d, edge_s + r * N);
      hn::Store(ended ? infinity : add<T>(d_[r], total), d, edge_d + r * N);
    }
  }

 private:
  HWY_INLINE void rebase() {
    const V<T> total = hn::Load(Lanes<T>(), at_.costs.total + run_ * N);
    above_ = add<T>(above_, total);
    HWY_UNROLL(8) for (u32 r = 0; r < kRows; ++r) {
      s_[r] = add<T>(s_[r], total);
      d_[r] = add<T>(d_[r], total);
    }
    ++run_;
    run_end_ += at_.arithmetic.rebase_columns;
  }

  template <bool kEdge>
  HWY_INLINE void columns(u32 begin, u32 end) {
    // Local copies: a store to 8-bit lanes may alias any variable that is not local.
    const T* const open = at_.costs.open;
    T* const line = at_.costs.line;
    const V<T> insertion = at_.insertion;
    std::size_t k = (begin - at_.costs.begin) * N;
    for (u32 i = begin; i < end;) {
      if (i == run_end_) rebase();
      const u32 stop = std::min(end, run_end_);
      for (; i < stop; ++i, k += N) column<kEdge>(i, k, open, line, insertion);
    }
  }

  /// @tparam kEdge  some rows have not begun, or have ended
  template <bool kEdge>
  HWY_INLINE void column(u32 i, std::size_t k, const T* opens, T* line, V<T> insertion) {
    const Lanes<T> d;
    const V<T> open = hn::Load(d, opens + k);
    V<T> up = hn::Load(d, line + k);
    V<T> aligned[kRows];
    HWY_UNROLL(8)
    for (u32 r = 0; r < kRows; ++r)
      aligned[r] = add<T>(r == 0 ? above_ : s_[r - 1], hn::Load(d, align_[r] + k));
    above_ = up;
    HWY_UNROLL(8) for (u32 r = 0; r < kRows; ++r) {
      if constexpr (kEdge || !kShortDownwards) {
        V<T> x = hn::Min(aligned[r], up);
        if constexpr (kEdge) x = hn::Max(x, floor(i < at_.row + r));
        s_[r] = hn::Min(x, d_[r]);
        if constexpr (kEdge) s_[r] = hn::Max(s_[r], floor(i > at_.row + r + at_.width));
        d_[r] = hn::Min(add<T>(x, open), d_[r]);
      } else {
        s_[r] = hn::Min(hn::Min(aligned[r], d_[r]), up);
        d_[r] = hn::Min(add<T>(s_[r], open), d_[r]);
      }
      up = s_[r];
    }
    hn::Store(add<T>(up, insertion), d, line + k);
  }
  HWY_INLINE V<T> floor(bool unreachable) const {
    return set<T>(unreachable ? at_.arithmetic.infinity : hwy::LimitsMin<T>());
  }

  const StripPlace<T>& at_;
  const T* align_[kRows];
  V<T> s_[kRows], d_[kRows], above_;
  u32 run_ = 0, run_end_ = 0;
};

}  // namespace gpuseq::papara::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
