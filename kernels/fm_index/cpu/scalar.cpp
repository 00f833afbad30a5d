// `scalar` and `prefetch`: exact search in a sampled index with scalar arithmetic.
//
// scalar: one query after the other; every step waits for the memory of the step before.
//
// prefetch: in_flight queries take turns; after its step a query asks for the memory of its next one, so up
// to in_flight reads overlap. A query that ends is replaced at once by the next of the job.
//
// Bound by: latency (scalar); about 35 instructions per step and the lines in flight (prefetch).
//
// Source: Ferragina and Manzini 2000; k steps and alternate counters: Chacon et al. 2013, section 2.

// Scalar arithmetic needs BMI2, which AVX2 has, and otherwise only the baseline.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_index/cpu/scalar.cpp"
#include <utility>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_index/cpu/compiled_shapes.hpp"
#include "kernels/fm_index/cpu/dispatch.hpp"
#include "kernels/fm_index/cpu/scalar-inl.hpp"
#include "kernels/fm_index/cpu/turns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

template <KernelShape shape>
constexpr SearchKernel kernel_of(bool interleaved) {
  if constexpr (is_compiled(shape))
    return interleaved ? &search_interleaved_any<SampledStep<shape>> : &search_one_by_one<SampledStep<shape>>;
  return nullptr;
}
template <std::size_t... i>
SearchKernel pick(const Layout& layout, bool interleaved, std::index_sequence<i...>) {
  static constexpr SearchKernel kOneByOne[] = {kernel_of<KernelShape::sampled(i)>(false)...};
  static constexpr SearchKernel kInterleaved[] = {kernel_of<KernelShape::sampled(i)>(true)...};
  return (interleaved ? kInterleaved : kOneByOne)[KernelShape::index(layout)];
}

SearchKernel scalar_arithmetic(const Layout& layout, bool interleaved) {
  return pick(layout, interleaved, std::make_index_sequence<KernelShape::kSampledShapes>());
}

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_index {
namespace {
DispatchedKernel dispatch(const Layout& layout, bool interleaved) {
  require_compiled(layout);
#if HWY_TARGETS & HWY_AVX2
  if (has_simd_target(HWY_AVX2)) return {N_AVX2::scalar_arithmetic(layout, interleaved), "AVX2"};
#endif
  return {HWY_STATIC_DISPATCH(scalar_arithmetic)(layout, interleaved), hwy::TargetName(HWY_STATIC_TARGET)};
}
}  // namespace

DispatchedKernel scalar_kernel(const Layout& layout) {
  return dispatch(layout, false);
}
DispatchedKernel prefetch_kernel(const Layout& layout) {
  return dispatch(layout, true);
}
}  // namespace gpuseq::fm_index
#endif
