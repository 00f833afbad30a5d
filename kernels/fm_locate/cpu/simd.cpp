// `simd`: positions of rows, one walk a 64-bit vector lane.
//
// A step of 8 (AVX-512), 4 or 2 walks is one stream of vector instructions; only the loads of lines, two to
// three instructions for 16 bytes, and the prefetches go lane by lane. Vectors of walks take turns as walks
// of `interleaved` do. A lane whose walk has ended asks for the sample, which is read some samples later, and
// takes the next row.
//
// Bound by: instructions; lines in flight where the index exceeds the last-level cache.
//
// Source: Ferragina and Manzini 2000, section 3.2.

#include "kernels/fm_index/cpu/lane_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_locate/cpu/simd.cpp"
#include <utility>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_locate/cpu/walks.hpp"

// A baseline without vectors (compiled last) has no lanes.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/fm_locate/cpu/walk_lanes-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_locate::HWY_NAMESPACE {

WalkKernel walks_in_lanes([[maybe_unused]] bool marked) {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  return marked ? &locate_in_lanes<true> : &locate_in_lanes<false>;
#else
  return nullptr;
#endif
}

}  // namespace gpuseq::fm_locate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_locate {
namespace {

struct CompiledTarget {
  std::int64_t target;
  WalkKernel (*select)(bool);  // null where it was not compiled
};

}  // namespace

DispatchedWalks simd_kernel(bool marked, SimdTarget wanted) {
  const CompiledTarget compiled[] = {{HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(walks_in_lanes)},
                                     {HWY_AVX3, HWY_CHOOSE_AVX3(walks_in_lanes)},
                                     {HWY_AVX2, HWY_CHOOSE_AVX2(walks_in_lanes)},
                                     {HWY_SSE4, HWY_CHOOSE_SSE4(walks_in_lanes)},
                                     {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(walks_in_lanes)}};
  std::vector<DispatchedWalks> kernels;
  std::vector<std::int64_t> targets;
  for (const CompiledTarget& one : compiled) {
    if (one.select == nullptr || !has_simd_target(one.target)) continue;
    const WalkKernel kernel = one.select(marked);
    if (kernel == nullptr) continue;
    kernels.push_back({kernel, simd_target_name(one.target)});
    targets.push_back(one.target);
  }
  return kernels[choose_simd_target(targets, wanted)];
}

}  // namespace gpuseq::fm_locate
#endif
