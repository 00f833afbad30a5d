#include "kernels/exact_match/cuda_policy.hpp"

namespace gpuseq::exact_match {

KernelSource kernel_source(const MatchPolicy& policy) {
  return {.name = kernel_name(policy),
          .text = kernel_text({&policy, 1}),
          .headers = device_headers(),
          .options = {"--std=c++20"},
          .may_spill = false};
}

std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point) {
  const MatchPoint at = match_point(variant.name, variant.space.complete(point));
  if (at.ahead_of_time) return {};
  return {kernel_source(at.policy)};
}

}  // namespace gpuseq::exact_match
