#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/fm_index/cpu/search.hpp"

namespace gpuseq::fm_index {

/// The kernel of `sorted_batch`, over one-hot layouts. `in_flight` of its jobs are the queries of a batch,
/// and `workspace` has BatchLists::bytes() of as many, or of all of the job if these are fewer.
/// @throws ResourceError where the processor or the build lacks the target, or the layout is wide
DispatchedKernel sorted_batch_kernel(const Layout& layout, SimdTarget target);

/// A query of a batch as it is carried from list to list: four words, of which vectors take a lane each.
struct BatchQuery {
  std::uint64_t interval;   // l, and h above it
  std::uint64_t rest;       // its number, and the steps that it needs above it
  std::uint64_t low, high;  // the symbols of the coming steps, the next in the lowest bits

  u32 query() const { return static_cast<u32>(rest); }
  u32 steps() const { return static_cast<u32>(rest >> 32); }
};
static_assert(sizeof(BatchQuery) == 32);
inline constexpr std::uint64_t kOneStep = std::uint64_t{1} << 32;  // of BatchQuery::rest

constexpr std::uint64_t two_words(u32 low, u32 high) {
  return low | std::uint64_t{high} << 32;
}

// A window is two readings of 29 symbols, the second of which begins at the last of the first.
inline constexpr u32 kHalfWindowSymbols = 28, kWindowSymbols = 57;

/// @param first, second  29 symbols from the query's next, and from kHalfWindowSymbols behind that
inline void set_window(BatchQuery& query, u64 first, u64 second) {
  constexpr u32 kBits = 2 * kHalfWindowSymbols;
  query.low = (first & ((u64{1} << kBits) - 1)) | second << kBits;
  query.high = second >> (64 - kBits);
}

/// A query by the row that it begins at.
struct QueryKey {
  u32 key;  // the symbols of its prefix, the last that was met, which is the first of the text, highest
  u32 query;
};

/// Sorts keys by their lowest `bits`; those that are alike stay as they were.
/// @param other  room for as many. @returns where they are then
inline QueryKey* sorted_keys(QueryKey* keys, QueryKey* other, std::size_t count, u32 bits) {
  constexpr u32 kDigitBits = 8;
  for (u32 shift = 0; shift < bits; shift += kDigitBits) {
    std::array<std::size_t, 1u << kDigitBits> places{};
    const auto digit = [&](const QueryKey& key) { return (key.key >> shift) & (places.size() - 1); };
    for (std::size_t i = 0; i < count; ++i) ++places[digit(keys[i])];
    std::size_t before = 0;
    for (std::size_t& place : places) before += std::exchange(place, before);
    for (std::size_t i = 0; i < count; ++i) other[places[digit(keys[i])]++] = keys[i];
    std::swap(keys, other);
  }
  return keys;
}

/// The two lists of a batch: what a thread holds beside index, queries and answers, its workspace.
class BatchLists {
 public:
  BatchLists(std::byte* workspace, std::size_t queries)
      : first_(reinterpret_cast<BatchQuery*>(workspace)), length_(queries + kSpare) {}
  BatchQuery* first() const { return first_; }
  BatchQuery* second() const { return first_ + length_; }

  static std::size_t bytes(std::size_t queries) { return 2 * (queries + kSpare) * sizeof(BatchQuery); }

 private:
  static constexpr std::size_t kSpare = 16;  // whole vectors are read

  BatchQuery* first_;
  std::size_t length_;
};

}  // namespace gpuseq::fm_index
