// `simd`: exact search in a sampled index with one query per 64-bit vector lane.
//
// A step of 8 (AVX-512), 4 or 2 queries is one stream of vector instructions; only the loads of entries and
// the prefetches go lane by lane: 1.5 instructions per 16 bytes and lane. An entry per vector would count
// many chunks in fewer instructions, but needs a horizontal sum for each of l and h, about as many as it
// saves at d = 448 and far more at d = 64. in_flight queries take turns as in `prefetch`.
//
// Bound by: lines in flight to L2 where the index exceeds the last-level
// cache; in it, instructions (about 12 per query and step at k = 1).
//
// Source: Ferragina and Manzini 2000; k steps and alternate counters: Chacon et al. 2013, section 2.

#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_index/cpu/simd.cpp"
#include <utility>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_index/cpu/compiled_shapes.hpp"
#include "kernels/fm_index/cpu/dispatch.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/fm_index/cpu/sampled-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS

template <KernelShape shape>
constexpr SearchKernel sampled_kernel() {
  if constexpr (is_compiled(shape)) return &search_batch<SampledLanes<shape>>;
  return nullptr;
}
template <std::size_t... i>
SearchKernel pick_sampled(const Layout& layout, std::index_sequence<i...>) {
  static constexpr SearchKernel kernels[] = {sampled_kernel<KernelShape::sampled(i)>()...};
  return kernels[KernelShape::index(layout)];
}
SearchKernel sampled_lanes(const Layout& layout) {
  return pick_sampled(layout, std::make_index_sequence<KernelShape::kSampledShapes>());
}

#else

SearchKernel sampled_lanes(const Layout&) {
  return nullptr;
}

#endif

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_index {
DispatchedKernel simd_kernel(const Layout& layout, SimdTarget target) {
  require_compiled(layout);
  return dispatch(GPUSEQ_COMPILED(sampled_lanes), layout, target);
}
}  // namespace gpuseq::fm_index
#endif
