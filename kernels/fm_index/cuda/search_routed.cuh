#pragma once

#include "kernels/fm_index/cuda/search_one_hot.cuh"
#include "runtime/cuda/device/special_registers.cuh"

// Search on the one-hot layout of an index that is larger than a multiprocessor's cache of translations
// reaches: memory is divided into windows that it does reach, and a multiprocessor reads one of them only.
//
// Which block a step reads depends on its word first, and a word is known beforehand: entries of words lie
// one behind the other, so that a window is a range of words. All queries take a step before any takes the
// next: a launch each. A warp takes a portion of the queries, lists those whose word is of its
// multiprocessor's window, and does them as one_hot does, with the intervals of queries in global memory
// between steps. Every query is met once for each window and done once. A warp whose window has none left
// goes on with the others'.
//
// Threads to work: lanes_per_query neighbouring threads a query, queries_in_flight of them interleaved; a
// warp meets kRoutedOfLane queries a lane and takes portions as it ends them. Bound by: random 32-byte
// sectors, one per k bases, at the rate of a footprint of one window; words and intervals are read and
// written in order, about 30 bytes a step, from the L2 where all queries fit there.

namespace gpuseq::fm_index {

/// The window that the memory of a word is in.
GPUSEQ_HD constexpr u32 window_of_word(u32 word, u32 words, u32 windows) {
  return word * windows / words;
}

#if defined(__CUDA_ARCH__)
GPUSEQ_HD u32 multiprocessor_of(const ThreadPlace&) {
  return multiprocessor();
}
/// What a counter had before `lane` 0 of the warp added 1, in all its lanes.
GPUSEQ_HD u32 take_number(u32* counter, u32 lane) {
  u32 number = 0;
  if (lane == 0) number = atomicAdd(counter, 1);
  return shuffle_from(number, 0, kWarp);
}
#else
/// Where no multiprocessors are, each block has its own.
inline u32 multiprocessor_of(const ThreadPlace& place) {
  return place.block;
}
inline u32 take_number(u32* counter, u32 lane) {
  return shuffle_from(lane == 0 ? (*counter)++ : 0, 0, kWarp);
}
#endif

template <class Tuned>
class RoutedStep {
  using Position = typename PositionType<Tuned::value.wide>::type;
  using IntervalType = AlignedInterval<Position>;
  static constexpr u32 lanes = Tuned::value.lanes_per_query;
  static constexpr u32 flights = Tuned::value.queries_in_flight;
  static constexpr u32 at_a_time = kWarp / lanes;  // queries of a warp
  static constexpr u32 portion = kWarp * kRoutedOfLane;

 public:
  GPUSEQ_HD RoutedStep(const SearchArguments& arguments, const ThreadPlace& place, u8* shared)
      : arguments_(arguments),
        routes_(arguments.routes),
        scheme_(arguments, place, shared),
        intervals_(static_cast<IntervalType*>(arguments.intervals)),
        listed_(shared + place.thread / kWarp * portion),
        lane_(place.thread % kWarp) {}

  /// Takes portions until none is left of this step for the window.
  GPUSEQ_HD void run(u32 window) {
    const u32 count = arguments_.queries.count;
    for (;;) {
      const u32 first = take_number(routes_.taken + window, lane_) * portion;
      if (first >= count) return;
      const u32 words =
          load_word<false>(routes_.words + routes_.step * routes_.pitch + first + u64{lane_} * kRoutedOfLane);
      search(first, list(first, words, window), words);
      sync_warp();  // before places are listed anew
    }
  }

 private:
  GPUSEQ_HD bool is_on_its_way(u32 query) const {
    return query < arguments_.queries.count &&
           (routes_.steps == nullptr || routes_.step < routes_.steps[query]);
  }

  /// Lists those of a portion that this window has. @returns how many
  GPUSEQ_HD u32 list(u32 first, u32 words, u32 window) {
    constexpr u32 all_words = Tuned::value.layout().words();
    u32 count = 0;
#pragma unroll
    for (u32 i = 0; i < kRoutedOfLane; ++i) {
      const u32 place = lane_ * kRoutedOfLane + i;
      const bool mine = window_of_word(word_of(words, i), all_words, routes_.windows) == window &&
                        is_on_its_way(first + place);
      const u32 with_it = ballot(mine);
      if (mine) listed_[count + popcount32(with_it & ((1u << lane_) - 1))] = static_cast<u8>(place);
      count += popcount32(with_it);
    }
    sync_warp();
    return count;
  }

  GPUSEQ_HD static u32 word_of(u32 words, u32 i) {
    return words >> (8 * i) & 0xff;
  }

  GPUSEQ_HD void search(u32 first, u32 count, u32 words) const {
#pragma unroll 1
    for (u32 done = 0; done < count; done += at_a_time * flights) {
      typename OneHot<Tuned>::Fetch fetch[flights];
      IntervalType interval[flights];
      u32 query[flights], word[flights];
      bool active[flights];
#pragma unroll
      for (u32 f = 0; f < flights; ++f) {
        const u32 at = done + f * at_a_time + lane_ / lanes;
        active[f] = at < count;
        const u32 place = active[f] ? listed_[at] : 0;
        query[f] = first + place;
        word[f] = word_of(shuffle_from(words, place / kRoutedOfLane, kWarp), place % kRoutedOfLane);
        interval[f] = active[f] ? intervals_[query[f]] : IntervalType{0, 0};
      }
#pragma unroll
      for (u32 f = 0; f < flights; ++f)
        scheme_.fetch(fetch[f], f, word[f], interval[f].l, interval[f].h, active[f]);
#pragma unroll
      for (u32 f = 0; f < flights; ++f) {
        scheme_.advance(fetch[f], f, word[f], interval[f].l, interval[f].h);
        if (active[f] && lane_ % lanes == 0) intervals_[query[f]] = interval[f];
      }
    }
  }

  const SearchArguments& arguments_;
  const Routes& routes_;
  const OneHot<Tuned> scheme_;
  IntervalType* intervals_;
  u8* listed_;
  u32 lane_;
};

/// A step of all queries, or the look-up before the first; every thread of the launch calls it once.
/// @param shared Policy::shared_bytes() of shared memory, 16-byte aligned
template <class Tuned>
GPUSEQ_HD void search_routed(const SearchArguments& arguments, const ThreadPlace& place, u8* shared) {
  const Routes& routes = arguments.routes;
  if (routes.step != kOpeningStep) {
    RoutedStep<Tuned> step(arguments, place, shared);
    const u32 own = routes.window_of[multiprocessor_of(place)];
    // What others have left is done, too: no window need have a multiprocessor that runs.
    for (u32 i = 0; i < routes.windows; ++i) step.run((own + i) % routes.windows);
    return;
  }
  using Position = typename PositionType<Tuned::value.wide>::type;
  const auto* prefix = static_cast<const AlignedInterval<Position>*>(arguments.index.prefix);
  auto* intervals = static_cast<AlignedInterval<Position>*>(arguments.intervals);
  const u32 threads = Tuned::value.threads_per_block;
  for (u32 query = place.block * threads + place.thread; query < arguments.queries.count;
       query += place.blocks * threads)
    intervals[query] = prefix[routes.openings[query]];
}

}  // namespace gpuseq::fm_index
