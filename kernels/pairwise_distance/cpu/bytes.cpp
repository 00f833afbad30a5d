#include "kernels/pairwise_distance/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pairwise_distance/cpu/bytes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/bytes.hpp"

// A baseline without vectors (compiled last) has no lanes.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/pairwise_distance/cpu/bytes-inl.hpp"
#include "kernels/pairwise_distance/cpu/output-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
ByteKernels kernels_of_bytes() {
  return {
      .bytes = kVectorBytes, .usual_tile = &usual_byte_tile, .compare = &byte_kernel, .write = &write_block};
}
#else
ByteKernels kernels_of_bytes() {
  return {};
}
#endif

}  // namespace gpuseq::pairwise_distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::pairwise_distance {
Dispatched<ByteKernels> byte_kernels(SimdTarget target) {
  return dispatch<ByteKernels>({{HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(kernels_of_bytes)},
                                {HWY_AVX3, HWY_CHOOSE_AVX3(kernels_of_bytes)},
                                {HWY_AVX2, HWY_CHOOSE_AVX2(kernels_of_bytes)},
                                {HWY_SSE4, HWY_CHOOSE_SSE4(kernels_of_bytes)},
                                {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(kernels_of_bytes)}},
                               target);
}
}  // namespace gpuseq::pairwise_distance
#endif
