#pragma once

#include "kernels/fm_mismatch/cpu/line_in_memory.hpp"
#include "kernels/fm_mismatch/data/searches.cuh"

namespace gpuseq::fm_mismatch {

/// The job of one thread: the places [begin, end) of answers, see MismatchProblem.
struct SearchJob {
  IndexView index;
  QueriesView queries;
  u32 strands;
  Answer* answers;  // [places]
  HitsView hits;    // its `begin` is [places]
  u64 begin, end;
  u32 in_flight;  // interleaved strands of queries
};

using SearchKernel = void (*)(const SearchJob&);

/// One strand of a query after the other; interleaved strands.
SearchKernel scalar_kernel(u32 mismatches);
SearchKernel interleaved_kernel(u32 mismatches);

template <u32 mismatches>
using CpuSearches = Searches<mismatches, LineInMemory>;

/// The strand of a query at a place.
struct QueryStrand {
  u32 query;
  bool reverse_complement;
};
inline QueryStrand strand_of(const SearchJob& job, u64 place) {
  return {static_cast<u32>(place / job.strands), place % job.strands == 1};
}

/// Starts the searches of a place. @returns false if there is nothing to search
template <u32 mismatches>
bool start(CpuSearches<mismatches>& searches, const SearchJob& job, u64 place) {
  const auto [query, reverse_complement] = strand_of(job, place);
  return searches.start(job.queries, query, reverse_complement, job.hits.of(place));
}

}  // namespace gpuseq::fm_mismatch
