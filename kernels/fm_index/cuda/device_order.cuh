#pragma once

#include "kernels/fm_index/cuda/search_device.cuh"
#include "kernels/fm_index/data/order_key.cuh"

// The steps around the sort that orders queries on a device before the search: a key of each query, the
// queries in the order of their keys, and the answers in the order of the queries as given. Queries are not
// moved; the sorted numbers lead to their beginnings.
//
// Threads to work: a thread a query, or a place of the order. Bound by: memory in sequence, and of each place
// of the order a random sector of queries that are not equally long, and one of answers.

namespace gpuseq::fm_index {

/// Pointers are to device memory.
struct OrderArguments {
  QueryView queries;  // as they are given
  OrderKey key;
  u32 even_units;  // of 16 bytes, of each query where all are equally long, one behind the other; else 0
};

struct QueryPlace {
  u32 begin, bases;
};

GPUSEQ_HD QueryPlace place_of(const OrderArguments& arguments, u32 query) {
  const QueryView& queries = arguments.queries;
  if (arguments.even_units != 0) return {query * arguments.even_units, queries.bases[0]};
  return {queries.begin[query], queries.bases[query]};
}

/// The sorted pair: the key of a query, and its number.
GPUSEQ_HD void write_key(const OrderArguments& arguments, u32 query, u32* keys, u32* numbers) {
  const QueryPlace place = place_of(arguments, query);
  const u8* packed = reinterpret_cast<const u8*>(arguments.queries.packed) + u64{place.begin} * 16;
  keys[query] = order_key(place.bases, arguments.key,
                          [packed](u32 number) { return load_word<true>(packed + u64{4} * number); });
  numbers[query] = query;
}

/// Where the query begins that is searched as the `at`-th, and how long it is.
/// @param bases  not written where all are equally long
GPUSEQ_HD void write_place(const OrderArguments& arguments, u32 at, const u32* numbers, u32* begin,
                           u32* bases) {
  const QueryPlace place = place_of(arguments, numbers[at]);
  begin[at] = place.begin;
  if (arguments.even_units == 0) bases[at] = place.bases;
}

/// Puts the interval that was found as the `at`-th where its query came from.
template <typename Position>
GPUSEQ_HD void give_back(u32 at, const u32* numbers, const AlignedInterval<Position>* found,
                         AlignedInterval<Position>* intervals) {
  intervals[numbers[at]] = found[at];
}

}  // namespace gpuseq::fm_index
