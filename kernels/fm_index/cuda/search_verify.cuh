#pragma once

#include "kernels/fm_index/cuda/search_device.cuh"
#include "kernels/fm_index/data/verify.cuh"

// `verify`, no FM-index: the first k bases of a query are looked up, then it is compared with the text where
// the few rows point that begin with them (data/verify.cuh).
//
// Threads to work: thread t of T takes queries t, t + T, ... A query is a chain of three reads: two starts, a
// row, and the text in 16-byte pieces; rows of 8 bytes are narrowed by their keys before the text is read.
// Bound by: random sectors, about four a query of 100 bases and one more for each further row of its word,
// and the latency of the chain where too few threads are resident.
//
// Source: Manber and Myers 1990.

namespace gpuseq::fm_index {

/// The state of one query in a thread.
template <class Tuned>
class TextComparison {
  static constexpr u32 k = Tuned::value.k;
  static constexpr u32 row_bytes = Tuned::value.row_bytes;
  static constexpr bool in_l1 = Tuned::value.entries_in_l1;

 public:
  GPUSEQ_HD TextComparison(const SearchArguments& arguments, u32 query)
      : index_(arguments.index),
        text_(index_.entries + verify_text_offset(k, row_bytes, index_.rows)),
        packed_(reinterpret_cast<const u8*>(arguments.queries.packed) +
                u64{arguments.queries.begin[query]} * 16),
        bases_(arguments.queries.bases[query]) {}

  GPUSEQ_HD Interval<u32> interval() const {
    if (bases_ <= k) return of_word();
    const u32 word = query_symbols(bases_ - k, k, symbols());
    const u8* starts = index_.entries + u64{word} * 4;
    const u32 begin = load_word<in_l1>(starts), end = load_word<in_l1>(starts + 4);
    RowSearch search(begin, end);
    if constexpr (row_bytes == 8) {
      const Interval<u32> rows = rows_with_key(begin, end, row_key(bases_, k, symbols()),
                                               [this](u32 at) { return load_word<in_l1>(row(at) + 4); });
      search = RowSearch(rows.l, rows.h);
    }
    while (!search.done()) search.take(order(load_word<in_l1>(row(search.row()))));
    return search.interval();
  }

 private:
  /// The interval of a query that is no longer than a word.
  GPUSEQ_HD Interval<u32> of_word() const {
    const u32 word = bases_ == 0 ? 0 : query_symbols(0, bases_, symbols());
    return psi_interval(index_.short_rows, k, bases_, word,
                        [this](u64 of) { return load_word<in_l1>(index_.entries + of * 4); });
  }
  GPUSEQ_HD i32 order(u32 length) const {
    return compare_suffix(
        bases_, length, [this](u64 piece) { return bases_of<true>(packed_ + 16 * piece); },
        [this](u64 piece) { return bases_of<in_l1>(text_ + 16 * piece); });
  }

  template <bool cached>
  GPUSEQ_HD static Bases64 bases_of(const u8* address) {
    const Piece piece = load_piece<cached>(address);
    return {piece.word[0] | u64{piece.word[1]} << 32, piece.word[2] | u64{piece.word[3]} << 32};
  }
  GPUSEQ_HD auto symbols() const {
    return [this](u32 word) { return load_word<true>(packed_ + u64{4} * word); };
  }
  GPUSEQ_HD const u8* row(u32 number) const {
    return index_.entries + verify_rows_offset(k) + u64{number} * row_bytes;
  }

  const IndexView& index_;
  const u8* text_;
  const u8* packed_;
  u32 bases_;
};

/// Searches all queries; every thread of the launch calls it once.
template <class Tuned>
GPUSEQ_HD void search_text(const SearchArguments& arguments, const ThreadPlace& place) {
  constexpr u32 threads = Tuned::value.threads_per_block;
  AlignedInterval<u32>* intervals = static_cast<AlignedInterval<u32>*>(arguments.intervals);
#pragma unroll 1
  for (u32 query = place.block * threads + place.thread; query < arguments.queries.count;
       query += place.blocks * threads) {
    const Interval<u32> found = TextComparison<Tuned>(arguments, query).interval();
    intervals[query] = {found.l, found.h};
  }
}

}  // namespace gpuseq::fm_index
