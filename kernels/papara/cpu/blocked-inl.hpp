// `blocked` for one lane type. Compiled once per Highway target.
#if defined(GPUSEQ_PAPARA_CPU_BLOCKED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PAPARA_CPU_BLOCKED_INL
#undef GPUSEQ_PAPARA_CPU_BLOCKED_INL
#else
#define GPUSEQ_PAPARA_CPU_BLOCKED_INL
#endif

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/papara/cpu/strip-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::papara::HWY_NAMESPACE {

/// The queries of a tile against the references of a group.
template <typename T>
class BlockedTile {
 public:
  static constexpr std::size_t N = kLanes<T>;

  explicit BlockedTile(const ScoringJob& job) : job_(job) { lay_out(); }

  void score() {
    for (u32 begin = 0; begin < job_.sites; begin += job_.columns) {
      costs_.begin = begin;
      costs_.end = std::min(job_.sites, begin + job_.columns);
      job_.alphabet == Alphabet::dna ? make_costs<Alphabet::dna>() : make_costs<Alphabet::protein>();
      std::size_t rows = 0;
      for (std::size_t q = 0; q < job_.chosen.size(); ++q) {
        run_query(job_.queries->row(job_.chosen[q]), {edge_s_ + rows * N, edge_d_ + rows * N, best_ + q * N});
        rows += job_.queries->bases[job_.chosen[q]];
      }
    }
    for (std::size_t q = 0; q < job_.chosen.size(); ++q)
      write_scores<T>(hn::Load(Lanes<T>(), best_ + q * N), job_.arithmetic, job_.scores + q * N);
  }

 private:
  /// Divides the scratch memory, and makes all cells left of the matrix unreachable.
  void lay_out() {
    std::size_t rows = 0;
    std::array<bool, kMostCodes> used{};
    for (const u32 q : job_.chosen) {
      rows += job_.queries->bases[q];
      for (const u8 base : job_.queries->row(q)) used[base] = true;
    }
    // One vector more than the columns: otherwise the costs of several bases fall into the same cache sets.
    costs_.pitch = static_cast<u32>((job_.columns + 1) * N);
    for (u32 code = 0; code < used.size(); ++code) {
      if (!used[code]) continue;
      costs_.offset[code] = codes_ * costs_.pitch;
      base_[codes_++] = BaseBytes(sets_of(job_.alphabet)[code]);
    }
    const std::size_t runs = job_.columns / job_.arithmetic.rebase_columns + 1;
    const std::size_t vectors = block_vectors(codes_, job_.columns, runs, rows, job_.chosen.size());
    T* next = reinterpret_cast<T*>(job_.scratch->at_least(vectors * N * sizeof(T)));
    const auto take = [&next](std::size_t lanes) { return std::exchange(next, next + lanes); };
    costs_.align = take(codes_ * costs_.pitch);
    costs_.open = take(costs_.pitch);
    costs_.line = take(costs_.pitch);
    costs_.potential = take(costs_.pitch);
    costs_.total = take(runs * N);
    edge_s_ = take(rows * N);
    edge_d_ = take(rows * N);
    best_ = take(job_.chosen.size() * N);
    std::fill(edge_s_, next, static_cast<T>(job_.arithmetic.infinity));
  }

  template <Alphabet alphabet>
  void make_costs() {
    constexpr u32 kPlanes = planes_of(alphabet);
    const Lanes<T> d;
    const Penalties& p = job_.penalties;
    const V<T> zero = hn::Zero(d), mismatch = set<T>(p.mismatch), extend = set<T>(p.gap_extend);
    const V<T> cgap = set<T>(p.cgap - p.insertion), other = set<T>(-p.gap_extend - p.insertion);
    const V<T> open = set<T>(p.gap_open - p.gap_extend);
    V<T> potential = zero;
    T* total = costs_.total;
    const std::size_t site_bytes = kPlanes * job_.plane_bytes;
    const auto last_plane = [&](u32 site) {
      return load_codes<T>(job_.codes + site * site_bytes + (kPlanes - 1) * job_.plane_bytes);
    };
    V<T> codes = last_plane(costs_.begin);
    for (u32 i = costs_.begin, run_end = costs_.begin + job_.arithmetic.rebase_columns; i < costs_.end; ++i) {
      const std::size_t k = (i - costs_.begin) * N;
      if (i == run_end) {
        hn::Store(potential, d, total);
        total += N;
        potential = zero;
        run_end += job_.arithmetic.rebase_columns;
      }
      potential = hn::Add(potential, by_cgap<T>(codes, zero, extend));
      hn::Store(potential, d, costs_.potential + k);
      const V<T> base_cost = by_cgap<T>(codes, cgap, other);
      for (u32 c = 0; c < codes_; ++c) {
        V<T> common;
        if constexpr (kPlanes == 1)
          common = hn::And(codes, set<T>(base_[c].parts[0].bits));
        else
          common = letters_in_common(job_.codes + i * site_bytes, base_[c]);
        const V<T> cost = hn::Add(base_cost, if_nothing<T>(common, mismatch));
        hn::Store(cost, d, costs_.align + c * costs_.pitch + k);
      }
      if (i + 1 < job_.sites) codes = last_plane(i + 1);
      hn::Store(by_cgap<T>(codes, zero, open), d, costs_.open + k);
    }
    hn::Store(potential, d, total);
  }

  HWY_INLINE V<T> letters_in_common(const u8* site, const BaseBytes& base) const {
    V<T> common = hn::Zero(Lanes<T>());
    for (u32 part = 0; part < base.count; ++part)
      common = hn::Or(common, hn::And(load_codes<T>(site + base.parts[part].plane * job_.plane_bytes),
                                      set<T>(base.parts[part].bits)));
    return common;
  }

  HWY_INLINE void run_query(std::span<const u8> bases, QueryEdge<T> edge) {
    const u32 count = static_cast<u32>(bases.size()), width = job_.sites - count;
    start_line(width);
    // The row above the first is reachable from column -1 to width - 1.
    V<T> corner = set<T>(costs_.begin <= width ? job_.arithmetic.zero : job_.arithmetic.infinity);
    u32 row = 0;
    while (row < count && row < costs_.end) {
      const u32 rows = rows_from(count - row);
      if (row + rows + width > costs_.begin)
        run_strip(rows, bases.subspan(row), row, width, edge, corner);
      else
        corner = add<T>(hn::Load(Lanes<T>(), edge.s + (row + rows - 1) * N), insertion_of(rows));
      row += rows;
    }
    if (row == count) take_best(count, width, edge.best);
  }

  /// Rows of the next strip: the largest of 8, 4, 2 and 1 that is at most `left` and the job's rows.
  u32 rows_from(u32 left) const {
    u32 rows = job_.rows;
    while (rows > left) rows /= 2;
    return rows;
  }

  V<T> insertion_of(u32 rows) const { return set<T>(static_cast<i32>(rows) * job_.penalties.insertion); }

  HWY_INLINE void run_strip(u32 rows, std::span<const u8> bases, u32 row, u32 width, QueryEdge<T> edge,
                            V<T>& corner) {
    const StripPlace<T> place{costs_, job_.arithmetic, bases.data(), row, width, insertion_of(rows)};
    switch (rows) {
      case 8:
        Strip<T, 8>(place).run(edge, corner);
        break;
      case 4:
        Strip<T, 4>(place).run(edge, corner);
        break;
      case 2:
        Strip<T, 2>(place).run(edge, corner);
        break;
      default:
        Strip<T, 1>(place).run(edge, corner);
        break;
    }
  }

  /// The row above the first: score 0 where it is reachable.
  void start_line(u32 width) {
    const Lanes<T> d;
    const V<T> zero = set<T>(job_.arithmetic.zero), infinity = set<T>(job_.arithmetic.infinity);
    const u32 reachable = std::clamp(width, costs_.begin, costs_.end);
    u32 i = costs_.begin;
    for (; i < reachable; ++i)
      hn::Store(hn::Sub(zero, hn::Load(d, costs_.potential + (i - costs_.begin) * N)), d,
                costs_.line + (i - costs_.begin) * N);
    for (; i < costs_.end; ++i) hn::Store(infinity, d, costs_.line + (i - costs_.begin) * N);
  }

  /// The line holds the last row; writes the least of its scores.
  void take_best(u32 count, u32 width, T* best) {
    const Lanes<T> d;
    V<T> least = hn::Load(d, best);
    const u32 end = std::min(costs_.end, count + width);
    for (u32 i = std::max(costs_.begin, count - 1); i < end; ++i) {
      const std::size_t k = (i - costs_.begin) * N;
      least = hn::Min(least, add<T>(hn::Load(d, costs_.line + k), hn::Load(d, costs_.potential + k)));
    }
    hn::Store(least, d, best);
  }

  const ScoringJob& job_;
  BlockCosts<T> costs_;
  std::array<BaseBytes, kMostCodes> base_{};  // for each code that the tile's queries contain
  u32 codes_ = 0;
  T* edge_s_ = nullptr;
  T* edge_d_ = nullptr;
  T* best_ = nullptr;
};

}  // namespace gpuseq::papara::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
