// `scalar`: one strand of a query after the other; every step waits for the lines of the previous step.
//
// Bound by: instructions if the index is in the cache, else by the latency of one or two lines per step.
//
// Source: Kucherov, Salikhov, Tsur 2016; Lam et al. 2009.

#include "kernels/fm_mismatch/cpu/searches.hpp"

namespace gpuseq::fm_mismatch {
namespace {

template <u32 mismatches>
void search_one_by_one(const SearchJob& job) {
  Node waiting[waiting_nodes(mismatches)];
  CpuSearches<mismatches> searches(job.index, waiting, 1);
  for (u64 place = job.begin; place < job.end; ++place) {
    for (bool more = start(searches, job, place); more;) more = searches.template advance<true>();
    job.answers[place] = searches.answer();
  }
}

}  // namespace

SearchKernel scalar_kernel(u32 mismatches) {
  if (mismatches == 0) return &search_one_by_one<0>;
  return mismatches == 1 ? &search_one_by_one<1> : &search_one_by_one<2>;
}

}  // namespace gpuseq::fm_mismatch
