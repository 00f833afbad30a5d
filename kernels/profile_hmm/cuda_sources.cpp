#include "kernels/profile_hmm/cuda_policy.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// What `compile` and the tests, which have no problem, take for the model.
constexpr u32 kUsualLength = 400;

}  // namespace

KernelSource kernel_source(const Policy& policy) {
  return {.name = kernel_name(policy),
          .text = kernel_text({&policy, 1}),
          .headers = device_headers(),
          .options = {"--std=c++20"},
          // 16 warps leave a thread 128 registers, 32 leave it 64.
          .may_spill = policy.row != Memory::registers || policy.words > 64 || policy.warps_per_block > 8};
}

std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point) {
  const FilterPoint at = filter_point(mapping_of(variant.name), variant.space.complete(point));
  if (at.ahead_of_time) return {};
  std::vector<KernelSource> sources;
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi}) {
    try {
      sources.push_back(kernel_source(choose_policy(at, {.filter = filter, .model_length = kUsualLength})));
    } catch (const ResourceError&) {
      continue;  // a point that does not do every filter
    }
  }
  return sources;
}

}  // namespace gpuseq::profile_hmm
