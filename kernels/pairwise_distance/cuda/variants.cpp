#include <algorithm>

#include "kernels/pairwise_distance/cuda/session.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Taken for data that only its file tells the size of.
constexpr u64 kUsualInstances = 10'000;

PairShape shape_of(const Point& problem) {
  const auto metric = std::ranges::find(kMetricNames, problem.word("metric"));
  PairShape shape{.metric = static_cast<Metric>(metric - kMetricNames.begin()), .instances = kUsualInstances};
  if (problem.word("instances") == "random") {
    shape.alphabet = static_cast<u32>(problem.integer("alphabet"));
    shape.missing = problem.integer("missing") != 0;
    shape.instances = static_cast<u64>(problem.integer("instance_count"));
  }
  return shape;
}

PairShape shape_of(const DistanceProblem& problem, const cuda::CudaDevice& device) {
  const Instances& instances = problem.instances();
  return {.metric = problem.metric(),
          .alphabet = instances.alphabet,
          .missing = instances.has_missing(),
          .instances = instances.count,
          .shared_bytes = static_cast<std::size_t>(
              device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)),
          .capability = static_cast<u32>(10 * device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                                         device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR))};
}

/// @param own, kernels  of static lifetime
template <class Own, class Policy>
Variant variant_of(const Own& own, const TunedKernel<Policy>& kernels) {
  return {.name = std::string(own.name),
          .device = DeviceKind::cuda,
          .summary = std::string(own.summary),
          .space = own.space(),
          .prepare = prepare_by<DistanceProblem>(
              [&own](DistanceProblem& problem, const Point& point, Device& device) {
                cuda::CudaDevice& on = cuda::cuda_device(device);
                return make_session(problem, own.choose(point, shape_of(problem, on)),
                                    is_ahead_of_time(point), on);
              }),
          .sources = [&own, &kernels](const Point& point, const Point& problem) {
            std::vector<KernelSource> sources;
            if (is_ahead_of_time(point)) return sources;
            try {
              sources.push_back(kernels.source(own.choose(point, shape_of(problem)), device_headers()));
            } catch (const ResourceError&) {
              // A point that does not do this metric or data has none.
            }
            return sources;
          }};
}

}  // namespace

std::vector<Variant> cuda_variants() {
  std::vector<Variant> variants;
  for (const LadderVariant& own : ladder_variants()) variants.push_back(variant_of(own, ladder_kernels()));
  for (const TileVariant& own : tile_variants()) variants.push_back(variant_of(own, tile_kernels()));
  return variants;
}

}  // namespace gpuseq::pairwise_distance
