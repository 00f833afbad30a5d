#pragma once

#include <cstring>

#include "kernels/fm_index/cpu/search.hpp"

namespace gpuseq::fm_index {

/// A query whose first symbols the prefix table has answered.
struct StartedQuery {
  u64 l, h;
  u32 query;
  u32 next_symbol;  // first symbol that no step has taken yet
  u32 steps;        // whole steps of k symbols that remain
};

/// Symbols of the queries of a job, several at a time.
class PackedQueries {
 public:
  explicit PackedQueries(const SearchJob& job)
      : begin_(job.queries.begin), bytes_(reinterpret_cast<const u8*>(job.queries.packed)) {
    if (job.queries.count == 0) return;
    const u32 last = job.queries.count - 1;
    readable_bytes_ = 16 * (job.queries.begin[last] + (u64{job.queries.bases[last]} + 63) / 64);
  }

  /// At least 29 symbols of a query from `symbol` on, the first in the lowest bits; past its end, anything.
  u64 window(u32 query, u32 symbol) const {
    const u64 byte = u64{16} * begin_[query] + symbol / 4;
    u64 bits = 0;
    if (byte + sizeof bits <= readable_bytes_) {
      std::memcpy(&bits, bytes_ + byte, sizeof bits);
    } else if (byte < readable_bytes_) {
      std::memcpy(&bits, bytes_ + byte, readable_bytes_ - byte);
    }
    return bits >> (symbol % 4 * 2);
  }
  /// The first 0 ... 29 symbols from `symbol` on.
  u64 word(u32 query, u32 symbol, u32 symbols) const {
    return window(query, symbol) & ((u64{1} << (2 * symbols)) - 1);
  }

 private:
  const u32* begin_;
  const u8* bytes_;
  u64 readable_bytes_ = 0;
};

/// Hands out the queries of a job in order and takes their answers. The prefix entry of a query is prefetched
/// `ahead` queries before it is handed out.
template <u32 k, typename Position>
class QueryStream {
 public:
  /// Steps that one window() feeds: its 64 bits lose up to 6 to the start within a byte.
  static constexpr u32 kWindowSteps = 29 / k;

  QueryStream(const SearchJob& job, u32 ahead) : job_(job), ahead_(ahead), next_(job.begin), packed_(job) {
    for (u32 query = job.begin; query < job.end && query < job.begin + ahead; ++query) prefetch_prefix(query);
  }

  /// The next query that needs a step; those that the prefix table answers alone are stored on the way.
  /// @returns false when there are no more
  bool next(StartedQuery& started) {
    while (next_ < job_.end) {
      if (ahead_ < job_.end - next_) prefetch_prefix(next_ + ahead_);
      const u32 query = next_++;
      const u32 bases = job_.queries.bases[query];
      const u32 symbols = prefix_length(bases, job_.index.prefix_symbols, k);
      const Interval<Position>& interval = prefix()[prefix_slot(symbols, packed_.word(query, 0, symbols))];
      started = {interval.l, interval.h, query, symbols, (bases - symbols) / k};
      if (started.steps > 0) return true;
      store(query, started.l, started.h);
    }
    return false;
  }

  void store(u32 query, u64 l, u64 h) const {
    static_cast<Interval<Position>*>(job_.intervals)[query] = {static_cast<Position>(l),
                                                               static_cast<Position>(h)};
  }

  /// See PackedQueries::window().
  u64 window(u32 query, u32 symbol) const { return packed_.window(query, symbol); }

 private:
  const Interval<Position>* prefix() const {
    return static_cast<const Interval<Position>*>(job_.index.prefix);
  }
  void prefetch_prefix(u32 query) const {
    const u32 symbols = prefix_length(job_.queries.bases[query], job_.index.prefix_symbols, k);
    __builtin_prefetch(&prefix()[prefix_slot(symbols, packed_.word(query, 0, symbols))]);
  }

  const SearchJob& job_;
  const u32 ahead_;
  u32 next_;
  PackedQueries packed_;
};

}  // namespace gpuseq::fm_index
