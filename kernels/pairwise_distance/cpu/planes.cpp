#include "kernels/pairwise_distance/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pairwise_distance/cpu/planes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/planes.hpp"

// A baseline without vectors (compiled last) has no lanes.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/pairwise_distance/cpu/output-inl.hpp"
#include "kernels/pairwise_distance/cpu/planes-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
PlaneKernels kernels_of_planes() {
  return {.lanes = kWordLanes,
          .counts_words = Counter::kCountsWords,
          .usual_tile = kUsualTile,
          .planes = &plane_kernel,
          .write = &write_block};
}
#else
PlaneKernels kernels_of_planes() {
  return {};
}
#endif

}  // namespace gpuseq::pairwise_distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::pairwise_distance {
Dispatched<PlaneKernels> plane_kernels(SimdTarget target) {
  return dispatch<PlaneKernels>({{HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(kernels_of_planes)},
                                 {HWY_AVX3, HWY_CHOOSE_AVX3(kernels_of_planes)},
                                 {HWY_AVX2, HWY_CHOOSE_AVX2(kernels_of_planes)},
                                 {HWY_SSE4, HWY_CHOOSE_SSE4(kernels_of_planes)},
                                 {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(kernels_of_planes)}},
                                target);
}
}  // namespace gpuseq::pairwise_distance
#endif
