#include "kernels/papara/cuda_policy.hpp"
#include "kernels/papara/problem.hpp"

namespace gpuseq::papara {

std::vector<Variant> cuda_variants() {
  const std::pair<Scheme, const char*> summaries[] = {
      {Scheme::row_wise_global, "a thread's matrix a row after the other, the row in global memory"},
      {Scheme::blocked_shared, "blocks of columns, a block's row in shared memory (the paper's kernel)"},
      {Scheme::blocked_registers, "blocks of columns, a block's row and costs in registers"}};
  std::vector<Variant> variants;
  for (const auto& [scheme, summary] : summaries)
    variants.push_back({scheme_name(scheme), DeviceKind::cuda, summary, score_space(scheme)});
  return variants;
}

}  // namespace gpuseq::papara
