// `row_wise`: scores of a group of references, one per vector lane, row by row with one line of the matrix in
// memory. Matches are computed from the sets of bases, cell by cell.
//
// Bound by: vector instructions (about 20 per cell) while the line fits the L2 cache, then by the memory
// bandwidth: the line is streamed once per base of every query.
//
// Source: Alachiotis, Berger and Stamatakis 2012, section "SIMD vectorization" and figure 3.

#include "runtime/simd/vector_targets.hpp"
#undef HWY_WANT_AVX3_DL  // these kernels use no instruction of it

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/papara/cpu/row_wise.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/papara/cpu/dispatch.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/papara/cpu/lanes-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::papara::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS

/// The line holds S of the row above at [i - row]: the diagonal neighbour of a cell is at the cell's own
/// index, the cell above at the next index.
/// @tparam kPlanes  bytes of a site
/// @tparam kParts  planes in which the base has letters
template <typename T, u32 kPlanes, u32 kParts>
HWY_INLINE void score_row(const ScoringJob& job, u32 row, const BaseBytes& base, u32 width, T* line) {
  constexpr std::size_t N = kLanes<T>;
  const Lanes<T> d;
  const V<T> infinity = set<T>(job.arithmetic.infinity);
  const V<T> cgap_flag = set<T>(kCgapFlag), cgap = set<T>(job.penalties.cgap);
  const V<T> mismatch = set<T>(job.penalties.mismatch), insertion = set<T>(job.penalties.insertion);
  const V<T> open = set<T>(job.penalties.gap_open), extend = set<T>(job.penalties.gap_extend);
  const std::size_t plane_bytes = job.plane_bytes, site_bytes = kPlanes * plane_bytes;
  const u8* codes_at = job.codes + row * site_bytes;
  V<T> bits[kParts];
  std::size_t offset[kParts];
  for (u32 part = 0; part < kParts; ++part) {
    bits[part] = set<T>(base.parts[part].bits);
    offset[part] = base.parts[part].plane * plane_bytes;
  }
  // A gap may open from X = min(match, insertion) instead of S: opening costs at least as much as extending.
  V<T> x = infinity, deletion = infinity;
  V<T> diagonal = hn::Load(d, line);
  for (std::size_t k = 0; k <= width; ++k, codes_at += site_bytes) {
    const V<T> last = load_codes<T>(codes_at + (kPlanes - 1) * plane_bytes);
    const auto has_cgap = hn::TestBit(last, cgap_flag);
    V<T> common = hn::And(kPlanes == 1 ? last : load_codes<T>(codes_at + offset[0]), bits[0]);
    HWY_UNROLL(2)
    for (u32 part = 1; part < kParts; ++part)
      common = hn::Or(common, hn::And(load_codes<T>(codes_at + offset[part]), bits[part]));
    const V<T> align = hn::Add(hn::IfThenElseZero(has_cgap, cgap), if_nothing<T>(common, mismatch));
    deletion = hn::Min(add<T>(x, hn::IfThenZeroElse(has_cgap, open)),
                       add<T>(deletion, hn::IfThenZeroElse(has_cgap, extend)));
    const V<T> up = hn::Load(d, line + (k + 1) * N);
    x = hn::Min(add<T>(diagonal, align), add<T>(up, insertion));
    hn::Store(hn::Min(x, deletion), d, line + k * N);
    diagonal = up;
  }
}

template <typename T>
HWY_INLINE void score_row_of(const ScoringJob& job, u32 row, const BaseBytes& base, u32 width, T* line) {
  if (job.alphabet == Alphabet::dna) return score_row<T, 1, 1>(job, row, base, width, line);
  if (base.count == 1) return score_row<T, 3, 1>(job, row, base, width, line);
  if (base.count == 2) return score_row<T, 3, 2>(job, row, base, width, line);
  score_row<T, 3, 3>(job, row, base, width, line);
}

template <typename T>
void score_row_wise(const ScoringJob& job) {
  constexpr std::size_t N = kLanes<T>;
  const Lanes<T> d;
  const V<T> infinity = set<T>(job.arithmetic.infinity);
  for (std::size_t q = 0; q < job.chosen.size(); ++q) {
    const std::span<const u8> bases = job.queries->row(job.chosen[q]);
    const u32 count = static_cast<u32>(bases.size()), width = job.sites - count;
    T* const line = reinterpret_cast<T*>(job.scratch->at_least(line_vectors(width) * N * sizeof(T)));
    std::fill(line, line + (width + 1) * N, static_cast<T>(job.arithmetic.zero));
    hn::Store(infinity, d, line + (width + 1) * N);
    for (u32 row = 0; row < count; ++row)
      score_row_of<T>(job, row, BaseBytes(sets_of(job.alphabet)[bases[row]]), width, line);
    V<T> least = infinity;
    for (u32 k = 0; k <= width; ++k) least = hn::Min(least, hn::Load(d, line + k * N));
    write_scores<T>(least, job.arithmetic, job.scores + q * N);
  }
}

DispatchedKernel row_wise_lanes(int bits) {
  if (bits == 8) return {&score_row_wise<std::int8_t>, kLanes<std::int8_t>, {}};
  if (bits == 16) return {&score_row_wise<std::int16_t>, kLanes<std::int16_t>, {}};
  return {&score_row_wise<std::int32_t>, kLanes<std::int32_t>, {}};
}

#else

DispatchedKernel row_wise_lanes(int) {
  return {};
}

#endif

}  // namespace gpuseq::papara::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::papara {
DispatchedKernel row_wise_kernel(int bits, SimdTarget target) {
  return dispatch_kernel(GPUSEQ_COMPILED(row_wise_lanes), bits, target);
}
}  // namespace gpuseq::papara
#endif
