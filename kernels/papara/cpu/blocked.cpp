// `blocked`: scores of a group of references, one per vector lane, in blocks of columns that stay in the
// cache and strips of up to 8 rows that stay in registers.
//
// The costs of a column are computed once per block for all queries of a tile: one vector for each base in
// the queries, and one for opening a gap. Lanes hold potentials, which leave out the costs that all paths
// share: an insertion per row and an extension per column. With X = min(match, insertion), equation 1 is
//   X = min(S(i-1, j-1) + align(i, b), S(i, j-1))   S = min(X, D(i))   D(i+1) = min(X + open(i+1), D(i)),
// 2 sums and 3 minima per cell. D may start from X instead of S because opening a gap costs at least as
// much as extending it.
//
// Bound by: vector instructions, 5 per cell and about 0.5 for strips and runs of columns.
//
// Source: Alachiotis, Berger and Stamatakis 2012, equation 1; blocks on the CPU: its future work.

#include "runtime/simd/vector_targets.hpp"
#undef HWY_WANT_AVX3_DL  // these kernels use no instruction of it

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/papara/cpu/blocked.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/papara/cpu/dispatch.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/papara/cpu/blocked-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::papara::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS

template <typename T>
void score_blocked(const ScoringJob& job) {
  BlockedTile<T>(job).score();
}
DispatchedKernel blocked_lanes(int bits) {
  if (bits == 8) return {&score_blocked<std::int8_t>, kLanes<std::int8_t>, {}};
  if (bits == 16) return {&score_blocked<std::int16_t>, kLanes<std::int16_t>, {}};
  return {&score_blocked<std::int32_t>, kLanes<std::int32_t>, {}};
}

#else

DispatchedKernel blocked_lanes(int) {
  return {};
}

#endif

}  // namespace gpuseq::papara::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::papara {
DispatchedKernel blocked_kernel(int bits, SimdTarget target) {
  return dispatch_kernel(GPUSEQ_COMPILED(blocked_lanes), bits, target);
}
}  // namespace gpuseq::papara
#endif
