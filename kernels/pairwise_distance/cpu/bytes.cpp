#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pairwise_distance/cpu/bytes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/pairwise_distance/cpu/bytes.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/pairwise_distance/cpu/bytes-inl.hpp"
#include "kernels/pairwise_distance/cpu/output-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::pairwise_distance::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS
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
  return dispatch<ByteKernels>(GPUSEQ_COMPILED(kernels_of_bytes), target);
}
}  // namespace gpuseq::pairwise_distance
#endif
