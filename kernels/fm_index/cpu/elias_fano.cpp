// `elias_fano_prefetch`: exact search in an Elias-Fano index: one line of 64 or 128 bytes per step
// of k bases. in_flight queries take turns as in `prefetch`; the index's table of words stays in L1.
//
// Bound by: instructions, each of which waits for the last: to select a bucket's zero, then to compare its
// lows. It is for less memory, not for more speed: sampled layouts in vectors are faster on a CPU.
//
// Source: Okanohara and Sadakane 2007; the one-hot layout: 'split bit-vectors', TCBB 2020.

// Scalar arithmetic needs BMI2, which AVX2 has, and otherwise only the baseline.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_index/cpu/elias_fano.cpp"
#include "kernels/fm_index/data/elias_fano.hpp"

#include <fmt/format.h>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_index/cpu/elias_fano-inl.hpp"
#include "kernels/fm_index/cpu/turns-inl.hpp"
#include "runtime/contract/unsupported.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

#ifdef GPUSEQ_ALL_SHAPES
template <u32 k>
SearchKernel elias_fano_of(u32 line_bytes) {
  return line_bytes == 64 ? &search_interleaved_any<EliasFanoStep<k, 64>>
                          : &search_interleaved_any<EliasFanoStep<k, 128>>;
}

SearchKernel elias_fano_arithmetic(const Layout& layout) {
  switch (layout.k) {
    case 1:
      return elias_fano_of<1>(layout.line_bytes);
    case 2:
      return elias_fano_of<2>(layout.line_bytes);
    case 3:
      return elias_fano_of<3>(layout.line_bytes);
    case 4:
      return elias_fano_of<4>(layout.line_bytes);
    case 5:
      return elias_fano_of<5>(layout.line_bytes);
    default:
      return elias_fano_of<6>(layout.line_bytes);
  }
}
#else
/// @returns nullptr but for the default
SearchKernel elias_fano_arithmetic(const Layout& layout) {
  const bool compiled = layout.k == 4 && layout.line_bytes == 64;
  return compiled ? &search_interleaved_any<EliasFanoStep<4, 64>> : nullptr;
}
#endif

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_index {
DispatchedKernel elias_fano_kernel(const Layout& layout) {
  DispatchedKernel kernel{HWY_STATIC_DISPATCH(elias_fano_arithmetic)(layout),
                          hwy::TargetName(HWY_STATIC_TARGET)};
#if HWY_TARGETS & HWY_AVX2
  if (has_simd_target(HWY_AVX2)) kernel = {N_AVX2::elias_fano_arithmetic(layout), "AVX2"};
#endif
  if (kernel.search == nullptr)
    throw NotCompiled(fmt::format("k={} line_bytes={}", layout.k, layout.line_bytes));
  return kernel;
}
}  // namespace gpuseq::fm_index
#endif
