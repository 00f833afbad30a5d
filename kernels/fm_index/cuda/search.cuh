#pragma once

#include "kernels/fm_index/cuda/search_cooperative.cuh"
#include "kernels/fm_index/cuda/search_cooperative_split.cuh"
#include "kernels/fm_index/cuda/search_elias_fano.cuh"
#include "kernels/fm_index/cuda/search_memory.cuh"
#include "kernels/fm_index/cuda/search_one_hot.cuh"
#include "kernels/fm_index/cuda/search_psi.cuh"
#include "kernels/fm_index/cuda/search_query.cuh"
#include "kernels/fm_index/cuda/search_routed.cuh"
#include "kernels/fm_index/cuda/search_task.cuh"
#include "kernels/fm_index/cuda/search_verify.cuh"

// Exact search of DNA queries in an FM-index: the interval (l, h) of every query, by backward search in steps
// of k bases from the interval of its first bases in the prefix table.
//
// Threads to work: groups of lanes_per_query neighbouring threads; group g of G takes queries g, g + G, ...,
// with queries_in_flight of them interleaved, and goes on to its next as soon as one ends. The grid has
// the resident blocks, so that active_threads limits it exactly. All lanes of a group hold the query and its
// position; a scheme says how they read and count (fetch() issues the loads of a step, advance() uses them).
// Bound by: random memory accesses. Source: Chacon et al. 2013; the prefix table is their section 2.1.4.

namespace gpuseq::fm_index {

/// How the scheme of a policy reads and counts. One that is not here does not compile.
template <class Tuned>
GPUSEQ_HD auto scheme_of(const SearchArguments& arguments, const ThreadPlace& place, u8* shared) {
  constexpr Scheme scheme = Tuned::value.scheme;
  if constexpr (scheme == Scheme::task_parallel || scheme == Scheme::task_parallel_16b ||
                scheme == Scheme::task_parallel_split)
    return TaskParallel<Tuned>(arguments, place, shared);
  if constexpr (scheme == Scheme::memory_cooperative)
    return MemoryCooperative<Tuned>(arguments, place, shared);
  if constexpr (scheme == Scheme::full_cooperative) return FullCooperative<Tuned>(arguments, place, shared);
  if constexpr (scheme == Scheme::full_cooperative_split)
    return FullCooperativeSplit<Tuned>(arguments, place, shared);
  if constexpr (scheme == Scheme::one_hot) return OneHot<Tuned>(arguments, place, shared);
  if constexpr (scheme == Scheme::psi) return PsiTable<Tuned>(arguments, place, shared);
  if constexpr (scheme == Scheme::psi_lines) return PsiLines<Tuned>(arguments, place, shared);
  if constexpr (scheme == Scheme::elias_fano) return EliasFano<Tuned>(arguments, place, shared);
}

/// A query on its way. Without steps left it is done, or there was none.
template <class Tuned>
struct Flight {
  using Position = typename PositionType<Tuned::value.wide>::type;
  static constexpr u32 k = Tuned::value.k;
  static constexpr u32 lanes = Tuned::value.lanes_per_query;

  QueryReader reader;
  Position l = 0;  // where a lane follows one position, this is it
  Position h = 0;
  u32 steps = 0;
  u32 query = 0;

  /// Takes the first of the queries `next`, `next` + `groups`, ... that needs steps; stores the others.
  GPUSEQ_HD void start(const SearchArguments& arguments, u32& next, u32 groups, u32 lane) {
    while (steps == 0 && next < arguments.queries.count) {
      query = next;
      next += groups;
      open(arguments, lane);
      if (steps == 0) store(arguments, lane);
    }
  }

  GPUSEQ_HD void store(const SearchArguments& arguments, u32 lane) const {
    Position* intervals = static_cast<Position*>(arguments.intervals);
    if constexpr (Tuned::value.one_position()) {
      intervals[u64{query} * 2 + lane] = l;
    } else if (lane == 0) {
      reinterpret_cast<AlignedInterval<Position>*>(intervals)[query] = {l, h};
    }
  }

 private:
  GPUSEQ_HD void open(const SearchArguments& arguments, u32 lane) {
    const QueryView& queries = arguments.queries;
    const u32 bases = queries.bases[query];
    reader.open(reinterpret_cast<const u8*>(queries.packed) + u64{queries.begin[query]} * 16);
    const u32 symbols = prefix_length(bases, arguments.index.prefix_symbols, k);
    if constexpr (Tuned::value.early_exit) {
      if (symbols < bases && ends_at_once(arguments, bases)) return;
    }
    const AlignedInterval<Position> interval = opening(arguments.index, symbols, reader.take_prefix(symbols));
    l = Tuned::value.one_position() && lane != 0 ? interval.h : interval.l;
    h = interval.h;
    steps = (bases - symbols) / k;
  }

  /// Whether the first k bases do not occur, so that the query occurs nowhere.
  GPUSEQ_HD bool ends_at_once(const SearchArguments& arguments, u32 bases) {
    const u8* packed =
        reinterpret_cast<const u8*>(arguments.queries.packed) + u64{arguments.queries.begin[query]} * 16;
    const u32 leading =
        query_symbols(bases - k, k, [packed](u32 word) { return load_word<true>(packed + u64{4} * word); });
    if (PsiStarts<Tuned>::occurs(arguments.index, leading)) return false;
    l = h = PsiStarts<Tuned>::start(arguments.index, leading);
    return true;
  }

  /// The interval of the first `symbols` symbols.
  GPUSEQ_HD static AlignedInterval<Position> opening(const IndexView& index, u32 symbols, u32 word) {
    if constexpr (Tuned::value.layout().psi()) {
      if (symbols > index.prefix_symbols) {
        const Interval<u32> interval = PsiStarts<Tuned>::opening(index, symbols, word);
        return {interval.l, interval.h};
      }
    }
    return static_cast<const AlignedInterval<Position>*>(index.prefix)[prefix_slot(symbols, word)];
  }
};

/// Searches all queries; every thread of the launch calls it once.
/// @param shared Policy::shared_bytes() of shared memory, 16-byte aligned
template <class Tuned>
GPUSEQ_HD void search(const SearchArguments& arguments, const ThreadPlace& place, u8* shared) {
  constexpr u32 k = Tuned::value.k;
  constexpr u32 lanes = Tuned::value.lanes_per_query;
  constexpr u32 threads = Tuned::value.threads_per_block;
  constexpr u32 flights = Tuned::value.queries_in_flight;

  const auto scheme = scheme_of<Tuned>(arguments, place, shared);
  using SchemeType = decltype(scheme);
  const u32 lane = place.thread % lanes;
  const u32 groups = place.blocks * (threads / lanes);
  u32 next = place.block * (threads / lanes) + place.thread / lanes;

  Flight<Tuned> flight[flights];
  bool busy = false;
#pragma unroll
  for (u32 f = 0; f < flights; ++f) {
    flight[f].start(arguments, next, groups, lane);
    busy |= flight[f].steps != 0;
  }

#pragma unroll 1
  while (SchemeType::whole_warp ? any_lane(busy) : busy) {
    typename SchemeType::Fetch fetch[flights];
    u32 word[flights];
#pragma unroll
    for (u32 f = 0; f < flights; ++f) {
      const bool active = flight[f].steps != 0;
      word[f] = 0;
      if (active) word[f] = flight[f].reader.template take<k>();
      scheme.fetch(fetch[f], f, word[f], flight[f].l, flight[f].h, active);
    }
    busy = false;
#pragma unroll
    for (u32 f = 0; f < flights; ++f) {
      auto l = flight[f].l;
      auto h = flight[f].h;
      scheme.advance(fetch[f], f, word[f], l, h);
      if (flight[f].steps != 0) {
        flight[f].l = l;
        flight[f].h = h;
        if (--flight[f].steps == 0) {
          flight[f].store(arguments, lane);
          flight[f].start(arguments, next, groups, lane);
        }
      }
      busy |= flight[f].steps != 0;
    }
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with Tuned::value.threads_per_block threads a block.
template <class Tuned>
__device__ __forceinline__ void search_kernel(const SearchArguments& arguments) {
  extern __shared__ __align__(16) u8 shared[];
  const ThreadPlace place{threadIdx.x, blockIdx.x, gridDim.x};
  if constexpr (Tuned::value.scheme == Scheme::verify) {
    search_text<Tuned>(arguments, place);
  } else if constexpr (Tuned::value.scheme == Scheme::one_hot_routed) {
    search_routed<Tuned>(arguments, place, shared);
  } else {
    search<Tuned>(arguments, place, shared);
  }
}
#endif

}  // namespace gpuseq::fm_index
