#include <algorithm>

#include "kernels/common/raised_cost.hpp"
#include "kernels/profile_hmm/cuda/session.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/peers/group.hpp"

namespace gpuseq::profile_hmm {
namespace {

FilterShape shape_of(const Point& problem) {
  const u32 length = outlined_length(problem);
  return {.filter = kFilterNames.value(problem.word("filter")),
          .model_length = length == 0 ? kUsualLength : length};
}

/// The maximum over all policies that may be chosen, if the problem is not fully known.
Cost cost_of(const FilterPoint& at, const StateOutline& state) {
  constexpr u32 kShortLength = 100, kLongLength = 1600;
  const OutlinedSizes sizes = outlined_sizes(state);
  const std::vector<u32> lengths = sizes.model_length == 0
                                       ? std::vector<u32>{kUsualLength, kShortLength, kLongLength}
                                       : std::vector<u32>{sizes.model_length};
  std::optional<Cost> cost;
  std::string why_not;
  for (const u32 length : lengths)
    for (const bool words_exact : {true, false}) {
      FilterShape shape = shape_of(state.problem);
      shape.model_length = length;
      shape.words_exact = words_exact;
      try {
        Cost other = filter_cost(choose_policy(at, shape), shape, sizes);
        if (cost)
          raise_to(*cost, other);
        else
          cost = std::move(other);
      } catch (const ResourceError& error) {
        why_not = error.what();
      }
    }
  if (!cost) throw ResourceError(why_not);
  return std::move(*cost);
}

std::vector<KernelSource> sources_of(const FilterPoint& at, const Point& problem) {
  if (at.ahead_of_time) return {};
  const FilterShape shape = shape_of(problem);
  try {
    const TunedKernel<Policy>& kernels = filter_kernels();
    const Policy policy = choose_policy(at, shape);
    std::vector<KernelSource> sources{kernels.source(policy, device_headers())};
    if (const auto second = second_policy(policy, shape); second && !kernels.is_ahead_of_time(*second))
      sources.push_back(kernels.source(*second, device_headers()));
    return sources;
  } catch (const ResourceError&) {
    return {};  // the point does not support this filter
  }
}

Variant variant(Mapping mapping, std::string name, std::string summary) {
  const auto prepare = [mapping](FilterProblem& problem, const Point& point, Device& device) {
    return make_cuda_session(problem, filter_point(mapping, point), cuda::cuda_device(device));
  };
  return {
      .name = std::move(name),
      .device = DeviceKind::cuda,
      .summary = std::move(summary),
      .space = filter_space(mapping),
      .prepare = prepare_by<FilterProblem>(prepare),
      .sources = [mapping](
                     const Point& point,
                     const Point& problem) { return sources_of(filter_point(mapping, point), problem); },
      .cost = [mapping](
                  const StateOutline& state) { return cost_of(filter_point(mapping, state.point), state); }};
}

/// lane_groups, whose sequences are shared by several GPUs.
Variant variant_on_gpus() {
  constexpr Mapping kMapping = Mapping::lane_groups;
  Variant own = variant(kMapping, "lane_groups_gpus",
                        "lane_groups on several GPUs, each with as many residues of the sequences");
  own.space = filter_space(kMapping, {cuda::gpus_axis()});
  own.prepare = prepare_by<FilterProblem>([](FilterProblem& problem, const Point& point, Device& device) {
    cuda::CudaDevice& first = cuda::cuda_device(device);
    return make_session_on_gpus(problem, filter_point(kMapping, point), first,
                                cuda::open_peers_of(first, point));
  });
  own.cost = [one = own.cost](const StateOutline& state) {
    return cuda::cost_on_gpus(one(state), state.point);
  };
  return own;
}

}  // namespace

std::vector<Variant> cuda_variants() {
  return {variant(Mapping::video_warp, "video_warp",
                  "one warp per sequence, saturating sub-words with video instructions (the paper's design)"),
          variant(Mapping::lane_groups, "lane_groups",
                  "1 to 32 threads per sequence, cells as 16-bit integers, halves or 32-bit integers"),
          variant_on_gpus()};
}

}  // namespace gpuseq::profile_hmm
