#include "kernels/papara/cuda_policy.hpp"
#include "kernels/papara/problem.hpp"

namespace gpuseq::papara {

KernelSource kernel_source(const Policy& policy) {
  return {
      .name = kernel_name(policy),
      .text = kernel_text({&policy, 1}),
      .headers = device_headers(),
      .options = {"--std=c++20"},
      // In registers, beyond six a column; elsewhere ptxas weighs a few spills against more resident threads.
      .may_spill = policy.scheme != Scheme::blocked_registers || (policy.branched && policy.unroll > 20)};
}

std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point) {
  const ScorePoint at = score_point(scheme_of(variant.name), variant.space.complete(point));
  if (at.ahead_of_time) return {};
  std::vector<KernelSource> sources{kernel_source(at.policy)};
  if (at.border_by_fit) {
    Policy other = at.policy;
    other.boundary_in_shared = !other.boundary_in_shared;
    sources.push_back(kernel_source(other));
  }
  return sources;
}

}  // namespace gpuseq::papara
