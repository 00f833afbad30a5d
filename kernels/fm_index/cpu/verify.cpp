// `verify_prefetch`: no FM-index. The first k bases of a query are looked up, then it is compared with the
// text where the few rows point that begin with them (data/verify.cuh).
//
// Three places of memory are read one after the other: starts, rows, text. Queries take turns; each asks for
// the next place and gives way. 64 bases are compared at a time, in scalar registers: there is nothing to
// gain from vectors, as a query of 100 bases is two such pieces.
//
// Bound by: lines from memory where the index exceeds the last-level cache, about three per query of
// 100 bases and one more for each further row of its word; in it, instructions (about 100 per query).
//
// Source: Manber and Myers 1990.

#include "kernels/fm_index/data/verify.cuh"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/fm_index/cpu/search.hpp"

namespace gpuseq::fm_index {
namespace {

/// The queries of a job, each at one of three stages of its way.
template <u32 row_bytes>
class VerifyBatch {
 public:
  explicit VerifyBatch(const SearchJob& job)
      : job_(job),
        k_(job.layout.k),
        starts_(reinterpret_cast<const u32*>(job.index.entries)),
        rows_(job.index.entries + verify_rows_offset(k_)),
        text_(job.index.entries + verify_text_offset(k_, row_bytes, job.index.rows)),
        next_(job.begin),
        slots_(job.in_flight) {}

  void run() {
    std::size_t live = 0;
    while (live < slots_.size() && open(slots_[live])) ++live;
    while (live > 0)
      for (std::size_t i = 0; i < live; ++i)
        if (!turn(slots_[i])) std::swap(slots_[i], slots_[--live]);
  }

 private:
  static constexpr u32 kLineBytes = 64;

  enum class Asked : u8 { starts, rows, text };
  struct Slot {
    RowSearch search;
    u32 query;
    u32 word;    // its first k bases
    u32 length;  // of the suffix whose text is asked for
    Asked asked;
  };

  /// Reads the fetched data and fetches more. @returns false when there is nothing more to do
  bool turn(Slot& slot) {
    switch (slot.asked) {
      case Asked::starts: {
        const u32 begin = starts_[slot.word], end = starts_[u64{slot.word} + 1];
        slot.search = {begin, end};
        if (begin == end) return finish(slot);
        __builtin_prefetch(row(slot.search.row()));
        if constexpr (row_bytes == 8) {
          if (end - begin <= 2 * kLineBytes / row_bytes) {  // all of few keys are read
            __builtin_prefetch(row(begin));
            __builtin_prefetch(row(end) - 1);
          }
        }
        slot.asked = Asked::rows;
        return true;
      }
      case Asked::rows:
        if constexpr (row_bytes == 8) {
          slot.search = with_key(slot);
          if (slot.search.done()) return finish(slot);
        }
        return ask_for_text(slot);
      case Asked::text:
        slot.search.take(order(slot));
        return slot.search.done() ? finish(slot) : ask_for_text(slot);
    }
    return false;
  }

  /// The rows of the word whose key does not tell their order.
  RowSearch with_key(const Slot& slot) const {
    const RowKey key = row_key(bases(slot.query), k_, symbols(slot.query));
    const Interval<u32> rows = rows_with_key(starts_[slot.word], starts_[u64{slot.word} + 1], key,
                                             [this](u32 at) { return read<u32>(row(at) + 4); });
    return {rows.l, rows.h};
  }

  /// The first bases of a suffix decide, as a rule; those behind them are stored before them.
  bool ask_for_text(Slot& slot) {
    slot.length = read<u32>(row(slot.search.row()));
    slot.asked = Asked::text;
    const u8* end = text_ + 16 + slot.length / 4;
    __builtin_prefetch(end);
    const u32 compared = std::min(std::min(slot.length, bases(slot.query)), 4 * kLineBytes);
    __builtin_prefetch(end - compared / 4);
    return true;
  }
  i32 order(const Slot& slot) const {
    const u8* query = packed(slot.query);
    return compare_suffix(
        bases(slot.query), slot.length, [query](u64 piece) { return read<Bases64>(query + 16 * piece); },
        [this](u64 piece) { return read<Bases64>(text_ + 16 * piece); });
  }

  bool finish(Slot& slot) {
    store(slot.query, slot.search.interval());
    return open(slot);
  }
  /// Takes the next query that is longer than a word; the others are answered by the starts alone.
  bool open(Slot& slot) {
    while (next_ < job_.end) {
      const u32 query = next_++, length = bases(query);
      if (length > k_) {
        slot.query = query;
        slot.word = query_symbols(length - k_, k_, symbols(query));
        slot.asked = Asked::starts;
        __builtin_prefetch(starts_ + slot.word);
        return true;
      }
      const u32 word = length == 0 ? 0 : query_symbols(0, length, symbols(query));
      store(query,
            psi_interval(job_.index.short_rows, k_, length, word, [this](u64 of) { return starts_[of]; }));
    }
    return false;
  }

  template <class Value>
  static Value read(const u8* at) {
    Value value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  const u8* row(u32 number) const { return rows_ + u64{number} * row_bytes; }
  u32 bases(u32 query) const { return job_.queries.bases[query]; }
  const u8* packed(u32 query) const {
    return reinterpret_cast<const u8*>(job_.queries.packed) + u64{16} * job_.queries.begin[query];
  }
  auto symbols(u32 query) const {
    return [at = packed(query)](u32 word) { return read<u32>(at + u64{4} * word); };
  }
  void store(u32 query, const Interval<u32>& interval) const {
    static_cast<Interval<u32>*>(job_.intervals)[query] = interval;
  }

  const SearchJob& job_;
  const u32 k_;
  const u32* starts_;
  const u8* rows_;
  const u8* text_;
  u32 next_;
  std::vector<Slot> slots_;
};

template <u32 row_bytes>
void search_text(const SearchJob& job) {
  VerifyBatch<row_bytes>(job).run();
}

}  // namespace

DispatchedKernel verify_kernel(const Layout& layout) {
  return {layout.row_bytes == 4 ? &search_text<4> : &search_text<8>, "scalar"};
}

}  // namespace gpuseq::fm_index
