#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pairwise_distance/cpu/floats.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/floats.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/pairwise_distance/cpu/floats-inl.hpp"
#include "kernels/pairwise_distance/cpu/output-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS
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
  return dispatch<FloatKernels>(GPUSEQ_COMPILED(kernels_of_floats), target);
}
}  // namespace gpuseq::pairwise_distance
#endif
