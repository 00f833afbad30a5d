#pragma once

#include "kernels/fm_mismatch/cpu/line_in_memory.hpp"
#include "kernels/fm_mismatch/data/searches.cuh"

namespace gpuseq::fm_mismatch {

/// What one thread searches: the places [begin, end) of answers, see MismatchProblem.
struct SearchJob {
  IndexView index;
  QueriesView queries;
  u32 strands;
  Answer* answers;  // [places]
  HitsView hits;    // of which [places]
  u64 begin, end;
  u32 in_flight;  // strands of queries that take turns
};

/// Searches a job to its end on the calling thread.
using SearchKernel = void (*)(const SearchJob&);

/// One strand of a query after the other; several that take turns.
SearchKernel scalar_kernel(u32 mismatches);
SearchKernel interleaved_kernel(u32 mismatches);

template <u32 mismatches>
using CpuSearches = Searches<mismatches, LineInMemory>;

/// Of a place.
struct QueryStrand {
  u32 query;
  bool reverse_complement;
};
inline QueryStrand strand_of(const SearchJob& job, u64 place) {
  return {static_cast<u32>(place / job.strands), place % job.strands == 1};
}

/// Begins with a place. @returns false where it has nothing to do
template <u32 mismatches>
bool start(CpuSearches<mismatches>& searches, const SearchJob& job, u64 place) {
  const auto [query, reverse_complement] = strand_of(job, place);
  return searches.start(job.queries, query, reverse_complement, job.hits.of(place));
}

}  // namespace gpuseq::fm_mismatch
