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
// Divided between devices, each has the windows of its share of the words and takes the steps that lead
// there. The state of a query that goes to another device, its interval, is stored into that device's inbox.
// The words before and after a step determine which of a portion's queries arrive where. So all devices know
// the order of the intervals in each inbox, which are consecutive, and nothing else has to travel.
//
// Threads to work: lanes_per_query neighbouring threads a query, queries_in_flight of them interleaved; a
// warp meets kRoutedOfLane queries per lane and takes portions as it ends them. Bound by: random 32-byte
// sectors, one per k bases, at the rate of a footprint of one window; words and intervals are read and
// written in order, about 30 bytes per step, from the L2 where all queries fit there.

namespace gpuseq::fm_index {

#if defined(__CUDA_ARCH__)
GPUSEQ_HD u32 multiprocessor_of(const ThreadPlace&) {
  return multiprocessor();
}
GPUSEQ_HD u32 count_up(u32* counter) {
  return atomicAdd(counter, 1);
}
/// A counter that other warps may increase.
GPUSEQ_HD u32 current(const u32* counter) {
  return __ldcg(counter);
}
GPUSEQ_HD u32 lowest_bit(u32 bits) {
  return static_cast<u32>(__ffs(static_cast<int>(bits))) - 1;
}
#else
/// Where no multiprocessors are, each block has its own.
inline u32 multiprocessor_of(const ThreadPlace& place) {
  return place.block;
}
inline u32 count_up(u32* counter) {
  return (*counter)++;
}
inline u32 current(const u32* counter) {
  return *counter;
}
inline u32 lowest_bit(u32 bits) {
  return static_cast<u32>(__builtin_ctz(bits));
}
#endif

template <class Tuned>
class RoutedStep {
  using Position = typename PositionType<Tuned::value.wide>::type;
  using IntervalType = AlignedInterval<Position>;
  static constexpr u32 lanes = Tuned::value.lanes_per_query;
  static constexpr u32 flights = Tuned::value.queries_in_flight;
  static constexpr u32 at_a_time = kWarp / lanes;        // queries of a warp and flight
  static constexpr u32 batch = at_a_time * flights;      // queries of a warp
  static constexpr u32 portion = kWarp * kRoutedOfLane;  // queries that it looks through
  static constexpr bool divided = Tuned::value.divided;
  static constexpr u32 all_words = Tuned::value.layout().words();
  static constexpr u32 in_inbox = portion;  // above a place in a portion
  static_assert(batch - 1 + portion <= kRoutedListed && 2 * portion <= 256);

  /// The words of a lane's queries of a portion, a byte each; those of other steps if queries cross between
  /// devices.
  struct Words {
    u32 now = 0, before = 0, after = 0;
  };
  /// Where the intervals of a lane's queries are before and after a step, a byte each.
  struct Places {
    u32 from = 0, to = 0;
  };

 public:
  GPUSEQ_HD RoutedStep(const SearchArguments& arguments, const ThreadPlace& place, u8* shared)
      : arguments_(arguments),
        routes_(arguments.routes),
        scheme_(arguments, place, shared),
        intervals_(static_cast<IntervalType*>(arguments.intervals)),
        listed_(reinterpret_cast<u32*>(shared + place.thread / kWarp * Tuned::value.list_bytes())),
        words_listed_(reinterpret_cast<u8*>(listed_ + kRoutedListed)),
        lane_(place.thread % kWarp) {}

  /// Takes the portions of a multiprocessor's own seat, and then those that others have left: no seat need
  /// have a multiprocessor that runs.
  GPUSEQ_HD void run(u32 own) {
    do_portions_of(own);
    for (u32 first = 0; first < routes_.seat_count; first += kWarp) {
      const u32 at = first + lane_;
      const u32 seat = (own + at) % routes_.seat_count;
      u32 left = ballot(at < routes_.seat_count &&
                        first_of(routes_.seats[seat], current(routes_.taken + seat * kTakenStride)) <
                            arguments_.queries.count);
      for (; left != 0; left &= left - 1)
        do_portions_of((own + first + lowest_bit(left)) % routes_.seat_count);
    }
  }

 private:
  /// Takes portions of a seat until none is left of this step, and whole batches of the listed queries. The
  /// next portion's words, and the number of that behind it, are asked for before the last is done.
  GPUSEQ_HD void do_portions_of(u32 number_of_seat) {
    const Seat seat = routes_.seats[number_of_seat];
    u32* const taken = routes_.taken + number_of_seat * kTakenStride;
    u32 number = take(taken);
    u32 first = first_of(seat, shuffle_from(number, 0, kWarp));
    Words words = words_of(first);
    number = take(taken);
    u32 listed = 0;
    for (;;) {
      while (listed < batch && first < arguments_.queries.count) {
        const u32 first_here = first;
        const Words words_here = words;
        first = first_of(seat, shuffle_from(number, 0, kWarp));
        words = words_of(first);
        number = take(taken);
        listed = list(listed, first_here, words_here, seat.window);
      }
      if (listed == 0) return;
      const u32 done = listed < batch ? listed : batch;
      search(listed - done, done);
      listed -= done;
      sync_warp();  // before places are listed again
    }
  }

  /// In lane 0.
  GPUSEQ_HD u32 take(u32* taken) const { return lane_ == 0 ? count_up(taken) : 0; }
  /// The first query of a seat's portion; behind all of them where it has not so many.
  GPUSEQ_HD u32 first_of(const Seat& seat, u32 number) const {
    const u64 first = (u64{number} * seat.count + seat.rank) * portion;
    return first < arguments_.queries.count ? static_cast<u32>(first) : arguments_.queries.count;
  }

  GPUSEQ_HD Words words_of(u32 first) const {
    Words words;
    if (first >= arguments_.queries.count) return words;
    const u8* now = routes_.words + routes_.step * routes_.pitch + first + u64{lane_} * kRoutedOfLane;
    words.now = load_word<false>(now);
    if constexpr (divided) {
      if (routes_.step > 0) words.before = load_word<false>(now - routes_.pitch);
      if (routes_.step + 1 < routes_.step_count) words.after = load_word<false>(now + routes_.pitch);
    }
    return words;
  }

  GPUSEQ_HD bool is_on_its_way(u32 query, u32 step) const {
    return query < arguments_.queries.count &&
           step < (routes_.steps == nullptr ? routes_.step_count : routes_.steps[query]);
  }

  GPUSEQ_HD u32 device_of(u32 word) const {
    return device_of_word(word, all_words, routes_.crossing.devices);
  }
  GPUSEQ_HD static u32 byte_of(u32 bytes, u32 i) { return bytes >> (8 * i) & 0xff; }
  GPUSEQ_HD u32 before_lane() const { return (1u << lane_) - 1; }

  /// The places of intervals before the step that takes `next`: those of queries that arrive at a device, in
  /// order, are in its inbox.
  /// @param words  of the step before  @param stay  the places of all other queries
  GPUSEQ_HD u32 places_at(u32 device, u32 first, u32 step, u32 words, u32 next, u32 stay) const {
    u32 places = stay, arrived = 0;
#pragma unroll
    for (u32 i = 0; i < kRoutedOfLane; ++i) {
      const bool arrives = device_of(byte_of(next, i)) == device && device_of(byte_of(words, i)) != device &&
                           is_on_its_way(first + lane_ * kRoutedOfLane + i, step);
      const u32 with_it = ballot(arrives);
      const u32 place = in_inbox | (arrived + popcount32(with_it & before_lane()));
      if (arrives) places = (places & ~(0xffu << (8 * i))) | place << (8 * i);
      arrived += popcount32(with_it);
    }
    return places;
  }

  /// A query that stays on its device keeps its interval in the query's own place.
  GPUSEQ_HD Places places_of(u32 first, const Words& words) const {
    const u32 own = lane_ * (kRoutedOfLane * 0x01010101u) + 0x03020100u, step = routes_.step;
    const Crossing& crossing = routes_.crossing;
    Places places{own, own};
    if (step > 0) places.from = places_at(crossing.device, first, step, words.before, words.now, own);
#pragma unroll 1
    for (u32 device = 0; device < crossing.devices; ++device)
      if (device != crossing.device)
        places.to = places_at(device, first, step + 1, words.now, words.after, places.to);
    return places;
  }

  /// Lists those of a portion that this window has behind `listed` others. @returns how many there are then
  GPUSEQ_HD u32 list(u32 listed, u32 first, const Words& words, u32 window) const {
    [[maybe_unused]] Places places;
    if constexpr (divided) places = places_of(first, words);
#pragma unroll
    for (u32 i = 0; i < kRoutedOfLane; ++i) {
      const u32 query = first + lane_ * kRoutedOfLane + i, word = byte_of(words.now, i);
      const bool mine =
          window_of_word(word, all_words, routes_.windows) == window && is_on_its_way(query, routes_.step);
      const u32 with_it = ballot(mine);
      if (mine) {
        const u32 place = listed + popcount32(with_it & before_lane());
        listed_[place] = query;
        words_listed_[place] = static_cast<u8>(word);
        if constexpr (divided) {
          words_listed_[kRoutedListed + place] = static_cast<u8>(byte_of(places.from, i));
          words_listed_[2 * kRoutedListed + place] = static_cast<u8>(byte_of(places.to, i));
          words_listed_[3 * kRoutedListed + place] = static_cast<u8>(device_of(byte_of(words.after, i)));
        }
      }
      listed += popcount32(with_it);
    }
    sync_warp();
    return listed;
  }

  /// Where a listed query's interval is before this step. @param at  its place in the list
  GPUSEQ_HD const IntervalType* interval_before(u32 query, u32 at) const {
    if constexpr (!divided) return intervals_ + query;
    const Crossing& crossing = routes_.crossing;
    return interval_at(query, words_listed_[kRoutedListed + at], crossing.device, routes_.step);
  }
  /// And where it is to be behind it.
  GPUSEQ_HD IntervalType* interval_after(u32 query, u32 at) const {
    if constexpr (!divided) return intervals_ + query;
    return interval_at(query, words_listed_[2 * kRoutedListed + at], words_listed_[3 * kRoutedListed + at],
                       routes_.step + 1);
  }
  /// @param device  whose inbox the interval is in, if it is in one
  GPUSEQ_HD IntervalType* interval_at(u32 query, u32 place, u32 device, u32 step) const {
    const u32 at = query / portion * portion + place % portion;
    if (place < in_inbox) return intervals_ + at;
    return static_cast<IntervalType*>(routes_.crossing.inboxes[device]) + step % 2 * routes_.pitch + at;
  }

  /// @param count  at most a batch
  GPUSEQ_HD void search(u32 begin, u32 count) const {
    typename OneHot<Tuned>::Fetch fetch[flights];
    IntervalType interval[flights];
    u32 query[flights], word[flights];
    bool active[flights];
#pragma unroll
    for (u32 f = 0; f < flights; ++f) {
      const u32 at = f * at_a_time + lane_ / lanes;
      active[f] = at < count;
      query[f] = active[f] ? listed_[begin + at] : 0;
      word[f] = active[f] ? words_listed_[begin + at] : 0;
      interval[f] = active[f] ? *interval_before(query[f], begin + at) : IntervalType{0, 0};
    }
#pragma unroll
    for (u32 f = 0; f < flights; ++f)
      scheme_.fetch(fetch[f], f, word[f], interval[f].l, interval[f].h, active[f]);
#pragma unroll
    for (u32 f = 0; f < flights; ++f) {
      scheme_.advance(fetch[f], f, word[f], interval[f].l, interval[f].h);
      if (active[f] && lane_ % lanes == 0)
        *interval_after(query[f], begin + f * at_a_time + lane_ / lanes) = interval[f];
    }
  }

  const SearchArguments& arguments_;
  const Routes& routes_;
  const OneHot<Tuned> scheme_;
  IntervalType* intervals_;
  u32* listed_;       // queries, and
  u8* words_listed_;  // their words; divided: then places before and after the step, and the device after it
  u32 lane_;
};

/// A step of all queries, or the look-up before the first; every thread of the launch calls it once.
/// @param shared Policy::shared_bytes() of shared memory, 16-byte aligned
template <class Tuned>
GPUSEQ_HD void search_routed(const SearchArguments& arguments, const ThreadPlace& place, u8* shared) {
  const Routes& routes = arguments.routes;
  if (routes.step != kOpeningStep) {
    RoutedStep<Tuned> step(arguments, place, shared);
    step.run(routes.seat_of[multiprocessor_of(place)]);
    return;
  }
  using Position = typename PositionType<Tuned::value.wide>::type;
  const auto* prefix = static_cast<const AlignedInterval<Position>*>(arguments.index.prefix);
  auto* intervals = static_cast<AlignedInterval<Position>*>(arguments.intervals);
  const u32 threads = Tuned::value.threads_per_block;
  for (u32 query = place.block * threads + place.thread; query < arguments.queries.count;
       query += place.blocks * threads) {
    if constexpr (Tuned::value.divided) {
      // The device of its first step; the words of a query without steps are 0.
      const u32 word = routes.step_count == 0 ? 0 : routes.words[query];
      const Crossing& crossing = routes.crossing;
      if (device_of_word(word, Tuned::value.layout().words(), crossing.devices) != crossing.device) continue;
    }
    intervals[query] = prefix[routes.openings[query]];
  }
}

}  // namespace gpuseq::fm_index
