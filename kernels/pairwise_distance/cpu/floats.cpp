#include "kernels/pairwise_distance/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pairwise_distance/cpu/floats.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/floats.hpp"

// A baseline without vectors (compiled last) has no lanes.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/pairwise_distance/cpu/floats-inl.hpp"
#include "kernels/pairwise_distance/cpu/output-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
FloatKernels kernels_of_floats() {
  return {.lanes = kLanes, .usual_tile = &usual_float_tile, .compare = &float_kernel, .write = &write_block};
}
#else
FloatKernels kernels_of_floats() {
  return {};
}
#endif

}  // namespace gpuseq::pairwise_distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::pairwise_distance {
Dispatched<FloatKernels> float_kernels(SimdTarget target) {
  return dispatch<FloatKernels>({{HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(kernels_of_floats)},
                                 {HWY_AVX3, HWY_CHOOSE_AVX3(kernels_of_floats)},
                                 {HWY_AVX2, HWY_CHOOSE_AVX2(kernels_of_floats)},
                                 {HWY_SSE4, HWY_CHOOSE_SSE4(kernels_of_floats)},
                                 {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(kernels_of_floats)}},
                                target);
}
}  // namespace gpuseq::pairwise_distance
#endif
