#include "kernels/fm_index/cuda_policy.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {

KernelSource kernel_source(const Policy& policy) {
  return {.name = kernel_name(policy),
          .text = kernel_text({&policy, 1}),
          .headers = device_headers(),
          .options = {"--std=c++20"},
          .may_spill = false};
}

std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point) {
  const SearchPoint at = search_point(scheme_of(variant.name), variant.space.complete(point));
  if (at.ahead_of_time) return {};
  Policy wide = at.policy;
  wide.wide = true;
  return {kernel_source(at.policy), kernel_source(wide)};
}

}  // namespace gpuseq::fm_index
