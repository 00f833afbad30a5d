// Keeps queries in flight whose coming steps' addresses are known from their
// words: the common part of both psi kernels. Compiled once per Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_PSI_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_PSI_BATCH_INL
#undef GPUSEQ_FM_INDEX_CPU_PSI_BATCH_INL
#else
#define GPUSEQ_FM_INDEX_CPU_PSI_BATCH_INL
#endif

#include <algorithm>
#include <vector>

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/queries.hpp"
#include "kernels/fm_index/data/psi.cuh"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

/// in_flight queries take turns. In a turn a query does the steps that were fetched for in its
/// last one, and fetches for its next, up to kAhead; where a step needs the result of another
/// read (Step::kLocates) there is a turn between, in which that is read and the rest fetched.
///
/// With exit_early a query's first turn looks up its first k bases: where they do not occur,
/// the start of their word is the insertion point of the query, whatever its other bases are.
///
/// Step: fetch(word); locate(word, place); advance(word, place, l, h); start(word), see psi_interval();
/// occurs(word), true where that is not known without reading more.
template <class Step>
class PsiBatch {
 public:
  explicit PsiBatch(const SearchJob& job)
      : job_(job), k_(job.layout.k), step_(job), packed_(job), next_(job.begin), slots_(job.in_flight) {}

  void run() {
    std::size_t live = 0;
    for (u32 query = next_; query < job_.end && query < next_ + kPrefixAhead; ++query) fetch_prefix(query);
    while (live < slots_.size() && open(slots_[live])) ++live;
    while (live > 0)
      for (std::size_t i = 0; i < live; ++i)
        if (!turn(slots_[i])) std::swap(slots_[i], slots_[--live]);
  }

 private:
  static constexpr u32 kAhead = 8;
  static constexpr u32 kPrefixAhead = 16;

  struct Slot {
    u32 query;
    u32 l, h;
    u32 steps;  // that are not fetched for
    u32 symbol;
    u32 fetched;
    bool located;
    bool looked_up;  // the first k bases; without exit_early nothing is to be looked up
    u32 word[kAhead];
    typename Step::Place place[kAhead];
  };

  /// @returns false when there is nothing more to do
  HWY_INLINE bool turn(Slot& slot) {
    if (!slot.looked_up) {
      slot.looked_up = true;
      if (!step_.occurs(slot.word[0])) {
        const u32 start = step_.start(slot.word[0]);
        store(slot.query, start, start);
        return open(slot);
      }
      fetch(slot);
      return true;
    }
    if constexpr (Step::kLocates) {
      if (!slot.located) {
        for (u32 i = 0; i < slot.fetched; ++i) step_.locate(slot.word[i], slot.place[i]);
        slot.located = true;
        return true;
      }
    }
    u32 l = slot.l, h = slot.h;
    for (u32 i = 0; i < slot.fetched; ++i) step_.advance(slot.word[i], slot.place[i], l, h);
    slot.l = l;
    slot.h = h;
    if (slot.steps == 0) {
      store(slot.query, l, h);
      return open(slot);
    }
    fetch(slot);
    return true;
  }

  HWY_INLINE void fetch(Slot& slot) {
    slot.fetched = std::min(slot.steps, kAhead);
    slot.steps -= slot.fetched;
    slot.located = false;
    for (u32 i = 0; i < slot.fetched; ++i, slot.symbol += k_) {
      slot.word[i] = static_cast<u32>(packed_.word(slot.query, slot.symbol, k_));
      step_.fetch(slot.word[i]);
    }
  }

  /// Takes the next query that needs a step; those that need none are stored on the way.
  bool open(Slot& slot) {
    while (next_ < job_.end) {
      if (kPrefixAhead < job_.end - next_) fetch_prefix(next_ + kPrefixAhead);
      slot.query = next_++;
      const u32 bases = job_.queries.bases[slot.query], symbols = opening(bases);
      const Interval<u32> interval = opening_interval(symbols, packed_.word(slot.query, 0, symbols));
      if (symbols == bases) {
        store(slot.query, interval.l, interval.h);
        continue;
      }
      slot.l = interval.l;
      slot.h = interval.h;
      slot.symbol = symbols;
      slot.steps = (bases - symbols) / k_;
      slot.looked_up = !job_.exit_early;
      if (slot.looked_up) {
        fetch(slot);
      } else {
        slot.word[0] = static_cast<u32>(packed_.word(slot.query, bases - k_, k_));
        step_.fetch(slot.word[0]);
      }
      return true;
    }
    return false;
  }

  /// Symbols that are answered without a step; of queries of one length worked out once.
  u32 opening(u32 bases) {
    if (bases != last_bases_) {
      last_bases_ = bases;
      last_opening_ = prefix_length(bases, job_.index.prefix_symbols, k_);
    }
    return last_opening_;
  }
  HWY_INLINE Interval<u32> opening_interval(u32 symbols, u64 word) const {
    if (symbols <= job_.index.prefix_symbols) [[likely]]
      return prefix()[prefix_slot(symbols, word)];
    return psi_interval(job_.index.short_rows, k_, symbols, word, [this](u64 of) {
      return of == psi_words(k_) ? static_cast<u32>(job_.index.rows) : step_.start(of);
    });
  }
  void fetch_prefix(u32 query) {
    const u32 symbols = opening(job_.queries.bases[query]);
    if (symbols <= job_.index.prefix_symbols)
      __builtin_prefetch(&prefix()[prefix_slot(symbols, packed_.word(query, 0, symbols))]);
  }
  const Interval<u32>* prefix() const { return static_cast<const Interval<u32>*>(job_.index.prefix); }
  void store(u32 query, u32 l, u32 h) const { static_cast<Interval<u32>*>(job_.intervals)[query] = {l, h}; }

  const SearchJob& job_;
  const u32 k_;
  Step step_;
  PackedQueries packed_;
  u32 next_;
  u32 last_bases_ = ~u32{0}, last_opening_ = 0;
  std::vector<Slot> slots_;
};

template <class Step>
void search_psi(const SearchJob& job) {
  PsiBatch<Step>(job).run();
}

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
