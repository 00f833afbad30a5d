// A batch of queries that take each step together, by rows. Compiled once per Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_SORTED_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_SORTED_BATCH_INL
#undef GPUSEQ_FM_INDEX_CPU_SORTED_BATCH_INL
#else
#define GPUSEQ_FM_INDEX_CPU_SORTED_BATCH_INL
#endif

#include <algorithm>
#include <array>
#include <utility>

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/batch-inl.hpp"
#include "kernels/fm_index/cpu/sorted_batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

/// Step: as of Batch, of a layout that is not wide.
///
/// A list has the queries that need a step, those with the same next word beside each other and by rows. A
/// pass does the step of each and puts it into the other list, behind those that have the same word then. LF
/// keeps the order of the rows of a word, so that these, too, are by rows.
template <class Step>
class SortedBatch {
 public:
  explicit SortedBatch(const SearchJob& job)
      : job_(job),
        step_(job),
        packed_(job),
        batch_(std::clamp<u32>(job.in_flight, 1, std::max<u32>(job.end - job.begin, 1))),
        lists_(job.workspace, batch_) {}

  void run() {
    for (u32 begin = job_.begin; begin < job_.end;) {
      const u32 end = begin + std::min(batch_, job_.end - begin);
      search(begin, end);
      begin = end;
    }
  }

 private:
  static constexpr u32 k = Step::kShape.k;
  static constexpr u32 kWords = 1u << (2 * k);
  /// A pass that leaves fewer than two words of a query's window fetches it anew.
  static constexpr u32 kPassesOfWindow = kWindowSymbols / k - 1;
  /// Groups of queries between that whose blocks are asked for and that whose step is done.
  static constexpr std::size_t kAhead = 8;
  static constexpr u32 kKeysAhead = 16;
  static constexpr Lanes d{};

  void search(u32 begin, u32 end) {
    BatchQuery* from = lists_.first();
    BatchQuery* to = lists_.second();
    u32 live = start(begin, end, from, to);
    for (u32 passes = 1; live > 0; ++passes) {
      std::fill_n(from + live, kLanes, from[live - 1]);  // what lanes past the last do does not matter
      const u32 next = next_pass();
      const bool new_windows = passes % kPassesOfWindow == 0;
      if (!new_windows && fewest_steps_ >= passes + 2)
        pass<false>(from, live, to, false);
      else
        pass<true>(from, live, to, new_windows);
      std::swap(from, to);
      live = next;
    }
  }

  /// Makes the list of the first step; `other` is not used yet, and holds keys meanwhile.
  /// @returns how many queries need a step
  u32 start(u32 begin, u32 end, BatchQuery* list, BatchQuery* other) {
    const u32 key_symbols = std::max(job_.index.prefix_symbols, k - 1);
    auto* keys = reinterpret_cast<QueryKey*>(other);
    u32 count = 0;
    fewest_steps_ = ~u32{0};
    for (u32 query = begin; query < end; ++query) {
      const u32 bases = job_.queries.bases[query], symbols = prefix_of(bases);
      const u64 word = packed_.word(query, 0, symbols);
      if (symbols == bases) {
        answers()[query] = prefix(symbols, word);
        continue;
      }
      fewest_steps_ = std::min(fewest_steps_, (bases - symbols) / k);
      keys[count++] = {static_cast<u32>(word << (2 * (key_symbols - symbols))), query};
      ++coming_[packed_.word(query, symbols, k)];
    }
    keys = sorted_keys(keys, keys + count, count, 2 * key_symbols);
    static_cast<void>(next_pass());
    for (u32 i = 0; i < count; ++i) {
      if (i + 2 * kKeysAhead < count) prefetch_place(keys[i + 2 * kKeysAhead].query);
      if (i + kKeysAhead < count) prefetch_bases(keys[i + kKeysAhead].query);
      const u32 query = keys[i].query, bases = job_.queries.bases[query], symbols = prefix_of(bases);
      const Interval<u32>& interval = prefix(symbols, packed_.word(query, 0, symbols));
      put({two_words(interval.l, interval.h), two_words(query, (bases - symbols) / k), 0, 0}, true, list);
    }
    return count;
  }

  /// Turns the counts of words into places of the list that the next pass makes.
  /// @returns how long that list is
  u32 next_pass() {
    u32 all = 0;
    for (u32 word = 0; word < kWords; ++word) {
      place_[word] = all;
      all += std::exchange(coming_[word], 0);
    }
    return all;
  }

  /// @param some_special  queries may end, or come to their last step, or take new windows
  template <bool some_special>
  void pass(const BatchQuery* from, u32 live, BatchQuery* to, bool new_windows) {
    typename Step::Place places[kAhead];
    const std::size_t groups = (live + kLanes - 1) / kLanes;
    for (std::size_t group = 0; group < groups + kAhead; ++group) {
      typename Step::Place& place = places[group % kAhead];
      if (group >= kAhead) {
        const std::size_t first = (group - kAhead) * kLanes,
                          count = std::min<std::size_t>(kLanes, live - first);
        if (some_special || count < kLanes) [[unlikely]]
          special_step(from + first, count, place, new_windows, to);
        else
          step(from + first, place, to);
      }
      if (group >= groups) continue;
      const BatchQuery* const queries = from + group * kLanes;
      V interval, rest, low, high;
      hn::LoadInterleaved4(d, &queries->interval, interval, rest, low, high);
      step_.locate(low_half(interval), hn::ShiftRight<32>(interval), word_of(low), place);
      if (!some_special || !new_windows) continue;
      if (group + kAhead < groups)
        for (std::size_t i = 0; i < kLanes; ++i) prefetch_place(queries[kAhead * kLanes + i].query());
      for (std::size_t i = 0; i < kLanes; ++i) prefetch_bases(queries[i].query());
    }
  }

  /// The intervals of a group behind its step, as BatchQuery has them.
  HWY_INLINE void advance(const BatchQuery* from, const typename Step::Place& place,
                          LaneArray& intervals) const {
    V interval, rest, low, high;
    hn::LoadInterleaved4(d, &from->interval, interval, rest, low, high);
    V l = low_half(interval), h = hn::ShiftRight<32>(interval);
    step_.advance(place, word_of(low), l, h);
    hn::Store(hn::Or(l, hn::ShiftLeft<32>(h)), d, intervals);
  }

  /// The step of a whole group, of which each has at least two more to do.
  HWY_INLINE void step(const BatchQuery* from, const typename Step::Place& place, BatchQuery* to) {
    HWY_ALIGN LaneArray intervals;
    advance(from, place, intervals);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const u64 low = low_behind(from[i]);
      to[place_[low & (kWords - 1)]++] = {intervals[i], from[i].rest - kOneStep, low,
                                          from[i].high >> (2 * k)};
      ++coming_[(low >> (2 * k)) & (kWords - 1)];
    }
  }

  /// The step of a group of `count` queries.
  HWY_NOINLINE void special_step(const BatchQuery* from, std::size_t count, const typename Step::Place& place,
                                 bool new_windows, BatchQuery* to) {
    HWY_ALIGN LaneArray intervals;
    advance(from, place, intervals);
    for (std::size_t i = 0; i < count; ++i) {
      const BatchQuery& query = from[i];
      if (query.steps() == 1)
        answers()[query.query()] = {static_cast<u32>(intervals[i]), static_cast<u32>(intervals[i] >> 32)};
      else
        put({intervals[i], query.rest - kOneStep, low_behind(query), query.high >> (2 * k)}, new_windows, to);
    }
  }

  /// Puts a query that needs a step into a list.
  HWY_INLINE void put(BatchQuery query, bool new_window, BatchQuery* list) {
    if (new_window) {
      const u32 symbol = job_.queries.bases[query.query()] - query.steps() * k;
      set_window(query, packed_.window(query.query(), symbol),
                 packed_.window(query.query(), symbol + kHalfWindowSymbols));
    }
    list[place_[query.low & (kWords - 1)]++] = query;
    if (query.steps() > 1) ++coming_[(query.low >> (2 * k)) & (kWords - 1)];
  }

  /// BatchQuery::low behind a step.
  static HWY_INLINE u64 low_behind(const BatchQuery& query) {
    return query.low >> (2 * k) | query.high << (64 - 2 * k);
  }
  static HWY_INLINE V low_half(V words) { return hn::And(words, hn::Set(d, 0xFFFFFFFF)); }
  static HWY_INLINE V word_of(V bits) { return hn::And(bits, hn::Set(d, kWords - 1)); }

  u32 prefix_of(u32 bases) const { return prefix_length(bases, job_.index.prefix_symbols, k); }
  const Interval<u32>& prefix(u32 symbols, u64 word) const {
    return static_cast<const Interval<u32>*>(job_.index.prefix)[prefix_slot(symbols, word)];
  }
  void prefetch_place(u32 query) const {
    __builtin_prefetch(job_.queries.begin + query);
    __builtin_prefetch(job_.queries.bases + query);
  }
  void prefetch_bases(u32 query) const {
    __builtin_prefetch(job_.queries.packed + u64{4} * job_.queries.begin[query]);
  }
  Interval<u32>* answers() const { return static_cast<Interval<u32>*>(job_.intervals); }

  const SearchJob& job_;
  Step step_;
  PackedQueries packed_;
  u32 batch_;
  BatchLists lists_;
  u32 fewest_steps_ = 0;              // that a query of the batch has
  std::array<u32, kWords> place_{};   // of the list that is made: of the next query of each word
  std::array<u32, kWords> coming_{};  // how many it has of each word in their second step
};

template <class Step>
void search_sorted_batch(const SearchJob& job) {
  SortedBatch<Step>(job).run();
}

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
