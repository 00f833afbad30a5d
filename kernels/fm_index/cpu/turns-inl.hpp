// Searches of one query after the other, and of several that take turns, whatever a step is. Compiled once
// per Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_TURNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_TURNS_INL
#undef GPUSEQ_FM_INDEX_CPU_TURNS_INL
#else
#define GPUSEQ_FM_INDEX_CPU_TURNS_INL
#endif

#include <algorithm>
#include <vector>

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/queries.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

// Step: made from a SearchJob; Step::k bases per step, Step::Position of intervals;
// step(l, h, word) does it, prefetch<locality>(l, h, word) fetches its data ahead.

/// One query after the other.
template <class Step>
void search_one_by_one(const SearchJob& job) {
  using Stream = QueryStream<Step::k, typename Step::Position>;
  const Step lf(job);
  Stream stream(job, 0);
  StartedQuery query;
  while (stream.next(query)) {
    u64 l = query.l, h = query.h;
    for (u32 symbol = query.next_symbol, steps = query.steps; steps > 0;) {
      u64 bits = stream.window(query.query, symbol);
      const u32 now = std::min(steps, Stream::kWindowSteps);
      for (u32 i = 0; i < now; ++i, bits >>= 2 * Step::k)
        lf.step(l, h, static_cast<u32>(bits) & ((1u << (2 * Step::k)) - 1));
      steps -= now;
      symbol += now * Step::k;
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

template <class Step, typename Stream>
HWY_INLINE void load_window(const Stream& stream, Slot& slot) {
  slot.bits = stream.window(slot.query, slot.next_symbol);
  slot.left = std::min(slot.steps, Stream::kWindowSteps);
  slot.steps -= slot.left;
  slot.next_symbol += slot.left * Step::k;
}

template <class Step, typename Stream>
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
  load_window<Step>(stream, slot);
  return true;
}

template <class Step, int locality>
void search_interleaved(const SearchJob& job) {
  constexpr u32 kMask = (1u << (2 * Step::k)) - 1;
  using Stream = QueryStream<Step::k, typename Step::Position>;
  const Step lf(job);
  Stream stream(job, job.in_flight);
  std::vector<Slot> slots(job.in_flight);
  u32 live = 0;
  while (live < job.in_flight && start<Step>(stream, slots[live])) ++live;
  while (live > 0) {
    for (u32 i = 0; i < live; ++i) {
      Slot& slot = slots[i];
      lf.step(slot.l, slot.h, static_cast<u32>(slot.bits) & kMask);
      slot.bits >>= 2 * Step::k;
      if (--slot.left == 0) [[unlikely]] {
        if (slot.steps > 0) {
          load_window<Step>(stream, slot);
        } else {
          stream.store(slot.query, slot.l, slot.h);
          if (!start<Step>(stream, slot)) {
            slot = slots[--live];  // its turn comes with the next round
            continue;
          }
        }
      }
      lf.template prefetch<locality>(slot.l, slot.h, static_cast<u32>(slot.bits) & kMask);
    }
  }
}

/// Queries take turns; each prefetches the data of its next step.
template <class Step>
void search_interleaved_any(const SearchJob& job) {
  if (job.prefetch_to_l1) {
    search_interleaved<Step, 3>(job);
  } else {
    search_interleaved<Step, 2>(job);
  }
}

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
