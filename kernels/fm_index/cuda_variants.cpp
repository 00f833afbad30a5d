#include "kernels/fm_index/cuda_policy.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {

std::vector<Variant> cuda_variants() {
  const std::pair<Scheme, const char*> summaries[] = {
      {Scheme::task_parallel, "a thread takes l and h of a query, 4-byte loads (the naive scheme)"},
      {Scheme::task_parallel_16b, "a thread takes l and h of a query, 16-byte loads"},
      {Scheme::task_parallel_split, "two threads a query, one LF mapping each, 16-byte loads"},
      {Scheme::memory_cooperative,
       "a warp copies whole entries to shared memory, each thread counts its own"},
      {Scheme::full_cooperative, "neighbouring lanes read and count an entry together"},
      {Scheme::one_hot, "one bit a row for each word of k bases: one 32-byte sector a step"}};
  std::vector<Variant> variants;
  for (const auto& [scheme, summary] : summaries)
    variants.push_back({scheme_name(scheme), DeviceKind::cuda, summary, search_space(scheme)});
  return variants;
}

}  // namespace gpuseq::fm_index
