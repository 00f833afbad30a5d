// `one_hot_simd`: exact search in a one-hot index: one block, and so one cache line, per step of k bases.
//
// Positions, divisions and addresses of 8 (AVX-512), 4 or 2 queries are one stream of vector instructions;
// then each query masks and counts its own block, and the counts of up to 8 queries are summed across the
// vector together, side by side in fields of 8 or 16 bits. in_flight queries take turns as in `prefetch`.
//
// Bound by: lines in flight to L2 where the index exceeds the
// last-level cache; in it, instructions (about 25 per query and step).
//
// Source: 'split bit-vectors', TCBB 2020; sampled counters: Ferragina and Manzini 2000.

#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_index/cpu/one_hot.cpp"
#include <utility>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_index/cpu/compiled_shapes.hpp"
#include "kernels/fm_index/cpu/dispatch.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/fm_index/cpu/one_hot-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS

template <KernelShape shape>
constexpr SearchKernel one_hot_kernel() {
  if constexpr (is_compiled(shape)) return &search_batch<OneHotLanes<shape>>;
  return nullptr;
}
template <std::size_t... i>
SearchKernel pick_one_hot(const Layout& layout, std::index_sequence<i...>) {
  static constexpr SearchKernel kernels[] = {one_hot_kernel<KernelShape::one_hot(i)>()...};
  return kernels[KernelShape::index(layout)];
}
SearchKernel one_hot_lanes(const Layout& layout) {
  return pick_one_hot(layout, std::make_index_sequence<KernelShape::kOneHotShapes>());
}

#else

SearchKernel one_hot_lanes(const Layout&) {
  return nullptr;
}

#endif

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_index {
DispatchedKernel one_hot_kernel(const Layout& layout, SimdTarget target) {
  require_compiled(layout);
  return dispatch(GPUSEQ_COMPILED(one_hot_lanes), layout, target);
}
}  // namespace gpuseq::fm_index
#endif
