#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pairwise_distance/cpu/planes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/planes.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/pairwise_distance/cpu/output-inl.hpp"
#include "kernels/pairwise_distance/cpu/planes-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS
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
  return dispatch<PlaneKernels>(GPUSEQ_COMPILED(kernels_of_planes), target);
}
}  // namespace gpuseq::pairwise_distance
#endif
