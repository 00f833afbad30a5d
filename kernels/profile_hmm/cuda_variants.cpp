#include "kernels/profile_hmm/cuda_policy.hpp"
#include "kernels/profile_hmm/problem.hpp"

namespace gpuseq::profile_hmm {

std::vector<Variant> cuda_variants() {
  const std::pair<Mapping, const char*> summaries[] = {
      {Mapping::video_warp,
       "a warp a sequence, sub-words that saturate by video instructions (the paper's kernel)"},
      {Mapping::lane_groups,
       "one to 32 threads a sequence, cells as 16-bit integers, halves or 32-bit integers"}};
  std::vector<Variant> variants;
  for (const auto& [mapping, summary] : summaries)
    variants.push_back({mapping_name(mapping), DeviceKind::cuda, summary, filter_space(mapping)});
  return variants;
}

}  // namespace gpuseq::profile_hmm
