// `simd`: positions of rows, one walk per 64-bit vector lane.
//
// A step of 8 (AVX-512), 4 or 2 walks is one stream of vector instructions. Only the loads of lines (two to
// three instructions per 16 bytes) and the prefetches are per lane. Vectors of walks are interleaved as the
// walks of `interleaved` are. A lane whose walk has ended prefetches the sample, which is read some samples
// later, and takes the next row.
//
// Bound by: instructions; lines in flight if the index exceeds the last-level cache.
//
// Source: Ferragina and Manzini 2000, section 3.2.

#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_locate/cpu/simd.cpp"
#include <utility>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_locate/cpu/walks.hpp"
#include "runtime/simd/simd_dispatch.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/fm_locate/cpu/walk_lanes-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_locate::HWY_NAMESPACE {

WalkKernel walks_in_lanes([[maybe_unused]] bool marked) {
#if GPUSEQ_HAS_VECTORS
  return marked ? &locate_in_lanes<true> : &locate_in_lanes<false>;
#else
  return nullptr;
#endif
}

}  // namespace gpuseq::fm_locate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_locate {
DispatchedWalks simd_kernel(bool marked, SimdTarget wanted) {
  const auto chosen = dispatch<WalkKernel, bool>(GPUSEQ_COMPILED(walks_in_lanes), wanted, marked);
  return {chosen.kernels, chosen.target};
}
}  // namespace gpuseq::fm_locate
#endif
