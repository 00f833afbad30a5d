#include "kernels/profile_hmm/cuda/session.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Taken for a model that only its file tells the length of.
constexpr u32 kUsualLength = 400;

std::vector<KernelSource> sources_of(const FilterPoint& at, const Point& problem) {
  if (at.ahead_of_time) return {};
  const bool random = problem.word("models") == "random";
  const FilterShape shape{
      .filter = kFilterNames.value(problem.word("filter")),
      .model_length = random ? static_cast<u32>(problem.integer("model_length")) : kUsualLength};
  try {
    const TunedKernel<Policy>& kernels = filter_kernels();
    const Policy policy = choose_policy(at, shape);
    std::vector<KernelSource> sources{kernels.source(policy, device_headers())};
    if (const auto second = second_policy(policy, shape); second && !kernels.is_ahead_of_time(*second))
      sources.push_back(kernels.source(*second, device_headers()));
    return sources;
  } catch (const ResourceError&) {
    return {};  // a point that does not do this filter
  }
}

Variant variant(Mapping mapping, std::string name, std::string summary) {
  const auto prepare = [mapping](FilterProblem& problem, const Point& point, Device& device) {
    return make_cuda_session(problem, filter_point(mapping, point), cuda::cuda_device(device));
  };
  return {.name = std::move(name),
          .device = DeviceKind::cuda,
          .summary = std::move(summary),
          .space = filter_space(mapping),
          .prepare = prepare_by<FilterProblem>(prepare),
          .sources = [mapping](const Point& point, const Point& problem) {
            return sources_of(filter_point(mapping, point), problem);
          }};
}

}  // namespace

std::vector<Variant> cuda_variants() {
  return {variant(Mapping::video_warp, "video_warp",
                  "a warp a sequence, sub-words that saturate by video instructions (the paper's kernel)"),
          variant(Mapping::lane_groups, "lane_groups",
                  "one to 32 threads a sequence, cells as 16-bit integers, halves or 32-bit integers")};
}

}  // namespace gpuseq::profile_hmm
