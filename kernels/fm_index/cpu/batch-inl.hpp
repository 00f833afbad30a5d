// Keeps vectors of queries in flight: the common part of kernels with one query per lane. Compiled once per
// Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_BATCH_INL
#undef GPUSEQ_FM_INDEX_CPU_BATCH_INL
#else
#define GPUSEQ_FM_INDEX_CPU_BATCH_INL
#endif

#include <algorithm>
#include <type_traits>
#include <vector>

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/kernel_table.hpp"
#include "kernels/fm_index/cpu/lanes-inl.hpp"
#include "kernels/fm_index/cpu/queries.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

/// Prefetches base + offset of every lane into L2 or L1. A core of Zen 4 has 24 reads to L1 in flight, but
/// more than twice as many to L2.
HWY_INLINE void prefetch_lanes(const u8* base, const LaneArray& offset, bool to_l1) {
  if (to_l1) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) __builtin_prefetch(base + offset[lane], 0, 3);
  } else {
    for (std::size_t lane = 0; lane < kLanes; ++lane) __builtin_prefetch(base + offset[lane], 0, 2);
  }
}

/// One query per lane in groups that take turns. All lanes of a group step together; at the end of the
/// shortest query or window, ended queries are replaced and windows renewed.
///
/// Step: Step::kShape; Step::Place, where a group's next step reads;
/// locate(l, h, word, place) finds and prefetches that; advance(place, word, l, h) does the step.
template <class Step>
class Batch {
 public:
  explicit Batch(const SearchJob& job)
      : step_(job),
        stream_(job, std::max<u32>(job.in_flight, kLanes)),
        groups_(std::max<std::size_t>(1, job.in_flight / kLanes)) {}

  void run() {
    std::size_t live = 0;
    for (Group& group : groups_) {
      start(group);
      if (!renew(group)) break;
      locate(group, hn::Load(d, group.l), hn::Load(d, group.h), hn::Load(d, group.bits));
      ++live;
    }
    while (live > 0) {
      for (std::size_t i = 0; i < live; ++i) {
        if (!turn(groups_[i])) std::swap(groups_[i], groups_[--live]);
      }
    }
  }

 private:
  static constexpr u32 k = Step::kShape.k;
  static constexpr u32 kIdle = ~u32{0};
  static constexpr Lanes d{};
  using Stream = QueryStream<k, std::conditional_t<Step::kShape.wide, u64, u32>>;

  struct Group {
    HWY_ALIGN LaneArray l;
    HWY_ALIGN LaneArray h;
    HWY_ALIGN LaneArray bits;  // symbols of the coming steps
    typename Step::Place place;
    u32 countdown;      // steps until the group is renewed
    u32 round;          // countdown at the last renewal
    u32 steps[kLanes];  // that remained at the last renewal
    u32 next_symbol[kLanes];
    u32 query[kLanes];  // kIdle: none is left
  };

  static HWY_INLINE V word_of(V bits) { return hn::And(bits, hn::Set(d, (1u << (2 * k)) - 1)); }

  HWY_INLINE void locate(Group& group, V l, V h, V bits) { step_.locate(l, h, word_of(bits), group.place); }

  /// One step of a group. @returns false when its lanes have nothing more to do
  HWY_INLINE bool turn(Group& group) {
    V l = hn::Load(d, group.l), h = hn::Load(d, group.h), bits = hn::Load(d, group.bits);
    step_.advance(group.place, word_of(bits), l, h);
    bits = hn::ShiftRight<2 * k>(bits);
    hn::Store(l, d, group.l);
    hn::Store(h, d, group.h);
    hn::Store(bits, d, group.bits);
    if (--group.countdown == 0) [[unlikely]] {
      if (!renew(group)) return false;
      l = hn::Load(d, group.l);
      h = hn::Load(d, group.h);
      bits = hn::Load(d, group.bits);
    }
    locate(group, l, h, bits);
    return true;
  }

  void start(Group& group) {
    group.round = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) take(group, lane);
  }

  /// Gives a lane its next query, or leaves it idle at position 0 with a word of As.
  void take(Group& group, std::size_t lane) {
    StartedQuery next{0, 0, kIdle, 0, ~u32{0}};
    if (!stream_.next(next)) next = {0, 0, kIdle, 0, ~u32{0}};
    group.l[lane] = next.l;
    group.h[lane] = next.h;
    group.query[lane] = next.query;
    group.next_symbol[lane] = next.next_symbol;
    group.steps[lane] = next.steps;
  }

  /// Not inlined: it is rare, and the loop of turns is tighter without it.
  HWY_NOINLINE bool renew(Group& group) {
    bool live = false;
    u32 round = Stream::kWindowSteps;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (group.query[lane] != kIdle) {
        group.steps[lane] -= group.round;
        group.next_symbol[lane] += group.round * k;
        if (group.steps[lane] == 0) {
          stream_.store(group.query[lane], group.l[lane], group.h[lane]);
          take(group, lane);
        }
      }
      const bool idle = group.query[lane] == kIdle;
      live |= !idle;
      group.bits[lane] = idle ? 0 : stream_.window(group.query[lane], group.next_symbol[lane]);
      if (idle) group.l[lane] = group.h[lane] = 0;
      round = std::min(round, group.steps[lane]);
    }
    group.round = group.countdown = round;
    return live;
  }

  Step step_;
  Stream stream_;
  std::vector<Group> groups_;
};

template <class Step>
void search_batch(const SearchJob& job) {
  Batch<Step>(job).run();
}

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
