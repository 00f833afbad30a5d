#include <algorithm>

#include "kernels/profile_hmm/cuda_policy.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Taken for a model that only its file tells the length of.
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

std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point, const Point& problem) {
  const FilterPoint at = filter_point(mapping_of(variant.name), variant.space.complete(point));
  if (at.ahead_of_time) return {};
  const bool random = problem.word("models") == "random";
  const FilterShape shape{
      .filter = static_cast<Filter>(
          std::find(kFilterNames.begin(), kFilterNames.end(), problem.word("filter")) - kFilterNames.begin()),
      .model_length = random ? static_cast<u32>(problem.integer("model_length")) : kUsualLength};
  try {
    const Policy policy = choose_policy(at, shape);
    std::vector<KernelSource> sources{kernel_source(policy)};
    if (const auto second = second_policy(policy, shape); second && !is_ahead_of_time(*second))
      sources.push_back(kernel_source(*second));
    return sources;
  } catch (const ResourceError&) {
    return {};  // a point that does not do this filter
  }
}

}  // namespace gpuseq::profile_hmm
