#include "kernels/papara/cuda_policy.hpp"
#include "kernels/papara/problem.hpp"
#include "runtime/embedded.hpp"

namespace gpuseq::papara {
namespace {

GPUSEQ_EMBEDDED(papara_host_device)
GPUSEQ_EMBEDDED(papara_scoring)
GPUSEQ_EMBEDDED(papara_score)
GPUSEQ_EMBEDDED(papara_score_block)
GPUSEQ_EMBEDDED(papara_score_blocked)
GPUSEQ_EMBEDDED(papara_score_lanes)
GPUSEQ_EMBEDDED(papara_score_policy)
GPUSEQ_EMBEDDED(papara_score_row_wise)

std::map<std::string, std::string> device_headers() {
  std::map<std::string, std::string> headers{
      {"runtime/host_device.hpp", std::string(embedded_papara_host_device())}};
  const auto add = [&headers](const char* name, std::string_view text) {
    headers[std::string("kernels/papara/") + name + ".cuh"] = text;
  };
  add("scoring", embedded_papara_scoring());
  add("score", embedded_papara_score());
  add("score_block", embedded_papara_score_block());
  add("score_blocked", embedded_papara_score_blocked());
  add("score_lanes", embedded_papara_score_lanes());
  add("score_policy", embedded_papara_score_policy());
  add("score_row_wise", embedded_papara_score_row_wise());
  return headers;
}

}  // namespace

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
