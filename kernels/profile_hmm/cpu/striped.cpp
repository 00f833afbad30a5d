// `striped`: HMMER's filters with a profile's positions spread over the lanes of vectors.
//
// SSV keeps diagonals in registers for a whole sequence, with 1 subtraction, 1 maximum and 1 load per vector
// of cells. MSV is SSV if no cell is high enough for J, otherwise it goes row by row. Viterbi goes row by row
// and keeps the operands of the next row in memory: 8 sums, 6 maxima, 4 loads and 2 stores per vector of
// cells, and 7 loads of transitions that the sequences of a batch share.
//
// Bound by: vector instructions, and for Viterbi loads.
//
// Source: Farrar 2007 (stripes, lazy F); Eddy 2011 (filters); HMMER's SSV filter by Knudsen (diagonals).

#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/profile_hmm/cpu/striped.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/profile_hmm/cpu/striped.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/profile_hmm/cpu/diagonals-inl.hpp"
#include "kernels/profile_hmm/cpu/msv-inl.hpp"
#include "kernels/profile_hmm/cpu/viterbi-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::profile_hmm::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS
StripedKernels kernels() {
  return {.bytes = kLanes<Byte>,
          .most_vectors = kMostVectors,
          .usual_vectors = kUsualVectors,
          .diagonals = &diagonals,
          .msv = &msv,
          .msv_all_costs = &msv_all_costs,
          .viterbi = &viterbi};
}
#else
StripedKernels kernels() {
  return {};
}
#endif

}  // namespace gpuseq::profile_hmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "runtime/contract/errors.hpp"

namespace gpuseq::profile_hmm {
Dispatched<StripedKernels> striped_kernels(SimdTarget target) {
  return dispatch<StripedKernels>(GPUSEQ_COMPILED(kernels), target);
}

Dispatched<StripedKernels> striped_kernels_for(u32 positions, u32 lane_bytes, SimdTarget target) {
  Dispatched<StripedKernels> chosen = striped_kernels(target);
  if (target != SimdTarget::best) return chosen;
  for (const SimdTarget narrower : {SimdTarget::avx2, SimdTarget::sse4}) {
    if (u64{positions} * 2 * lane_bytes > chosen.kernels.bytes) break;
    try {
      Dispatched<StripedKernels> other = striped_kernels(narrower);
      if (other.kernels.bytes < chosen.kernels.bytes) chosen = std::move(other);
    } catch (const ResourceError&) {  // not compiled; the wider one works as well
    }
  }
  return chosen;
}
}  // namespace gpuseq::profile_hmm
#endif
