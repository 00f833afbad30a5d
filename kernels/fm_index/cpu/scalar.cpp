// `scalar` and `prefetch`: exact search in a sampled index with scalar arithmetic.
//
// scalar: one query after the other; every step waits for the memory of the step before.
//
// prefetch: in_flight queries take turns; after its step a query asks for the memory of its next one, so up
// to in_flight reads overlap. A query that ends is replaced at once by the next of the job.
//
// Bound by: latency (scalar); about 35 instructions a step and the lines in flight (prefetch).
//
// Source: Ferragina and Manzini 2000; k steps and alternate counters: Chacon et al. 2013, section 2.

// Scalar arithmetic needs BMI2, which AVX2 brings, and otherwise only what the baseline has.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_index/cpu/scalar.cpp"
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_index/cpu/compiled_shapes.hpp"
#include "kernels/fm_index/cpu/queries.hpp"
#include "kernels/fm_index/cpu/scalar-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

template <bool wide>
using PositionOf = std::conditional_t<wide, u64, u32>;

template <KernelShape shape>
void search_one_by_one(const SearchJob& job) {
  using Stream = QueryStream<shape.k, PositionOf<shape.wide>>;
  const SampledStep<shape> lf(job);
  Stream stream(job, 0);
  StartedQuery query;
  while (stream.next(query)) {
    u64 l = query.l, h = query.h;
    for (u32 symbol = query.next_symbol, steps = query.steps; steps > 0;) {
      u64 bits = stream.window(query.query, symbol);
      const u32 now = std::min(steps, Stream::kWindowSteps);
      for (u32 i = 0; i < now; ++i, bits >>= 2 * shape.k)
        lf.step(l, h, static_cast<u32>(bits) & ((1u << (2 * shape.k)) - 1));
      steps -= now;
      symbol += now * shape.k;
    }
    stream.store(query.query, l, h);
  }
}

/// A query in flight.
struct Slot {
  u64 bits;  // symbols of the coming steps
  u64 l, h;
  u32 left;   // steps until `bits` is used up or the query ends
  u32 steps;  // steps after those
  u32 next_symbol;
  u32 query;
};

template <KernelShape shape, typename Stream>
HWY_INLINE void load_window(const Stream& stream, Slot& slot) {
  slot.bits = stream.window(slot.query, slot.next_symbol);
  slot.left = std::min(slot.steps, Stream::kWindowSteps);
  slot.steps -= slot.left;
  slot.next_symbol += slot.left * shape.k;
}

template <KernelShape shape, typename Stream>
bool start(Stream& stream, Slot& slot) {
  StartedQuery query;
  if (!stream.next(query)) return false;
  slot = {.bits = 0,
          .l = query.l,
          .h = query.h,
          .left = 0,
          .steps = query.steps,
          .next_symbol = query.next_symbol,
          .query = query.query};
  load_window<shape>(stream, slot);
  return true;
}

template <KernelShape shape, int locality>
void search_interleaved(const SearchJob& job) {
  constexpr u32 kMask = (1u << (2 * shape.k)) - 1;
  using Stream = QueryStream<shape.k, PositionOf<shape.wide>>;
  const SampledStep<shape> lf(job);
  Stream stream(job, job.in_flight);
  std::vector<Slot> slots(job.in_flight);
  u32 live = 0;
  while (live < job.in_flight && start<shape>(stream, slots[live])) ++live;
  while (live > 0) {
    for (u32 i = 0; i < live; ++i) {
      Slot& slot = slots[i];
      lf.step(slot.l, slot.h, static_cast<u32>(slot.bits) & kMask);
      slot.bits >>= 2 * shape.k;
      if (--slot.left == 0) [[unlikely]] {
        if (slot.steps > 0) {
          load_window<shape>(stream, slot);
        } else {
          stream.store(slot.query, slot.l, slot.h);
          if (!start<shape>(stream, slot)) {
            slot = slots[--live];  // its turn comes with the next round
            continue;
          }
        }
      }
      lf.template prefetch<locality>(slot.l, slot.h, static_cast<u32>(slot.bits) & kMask);
    }
  }
}

template <KernelShape shape>
void search_interleaved_any(const SearchJob& job) {
  if (job.prefetch_to_l1) {
    search_interleaved<shape, 3>(job);
  } else {
    search_interleaved<shape, 2>(job);
  }
}

template <KernelShape shape>
constexpr SearchKernel kernel_of(bool interleaved) {
  if constexpr (is_compiled(shape))
    return interleaved ? &search_interleaved_any<shape> : &search_one_by_one<shape>;
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
