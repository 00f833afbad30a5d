#include <algorithm>

#include "kernels/pairwise_distance/cuda_policy.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Taken for data that only its file tells the size of.
constexpr u64 kUsualInstances = 10'000;

template <class Policy>
KernelSource source_of(const Policy& policy, std::string text, bool may_spill) {
  return {.name = kernel_name(policy),
          .text = std::move(text),
          .headers = device_headers(),
          .options = {"--std=c++20"},
          .may_spill = may_spill};
}

}  // namespace

KernelSource kernel_source(const LadderPolicy& policy) {
  return source_of(policy, kernel_text({&policy, 1}, {}), false);
}

KernelSource kernel_source(const TilePolicy& policy) {
  const u32 registers = std::min(policy.registers(), 65536 / policy.threads());
  // Products of bits are emulated from sm_100 on, with registers of their own.
  const bool emulated = policy.product == Product::matrix_b1 && policy.kept_words() > 128;
  const bool may_spill = emulated || (!policy.on_tensor_cores() && policy.kept_words() + 40 > registers);
  return source_of(policy, kernel_text({}, {&policy, 1}), may_spill);
}

std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point, const Point& problem) {
  const Mapping mapping = mapping_of(variant.name);
  const Point complete = variant.space.complete(point);
  if (complete.word("compiled_by") == "nvcc") return {};
  const auto metric = std::find(kMetricNames.begin(), kMetricNames.end(), problem.word("metric"));
  const bool random = problem.word("instances") == "random";
  PairShape shape{.metric = static_cast<Metric>(metric - kMetricNames.begin()), .instances = kUsualInstances};
  if (random) {
    shape.alphabet = static_cast<u32>(problem.integer("alphabet"));
    shape.missing = problem.integer("missing") != 0;
    shape.instances = static_cast<u64>(problem.integer("instance_count"));
  }
  try {
    if (is_ladder(mapping)) return {kernel_source(choose_ladder_policy(mapping, complete, shape))};
    return {kernel_source(choose_tile_policy(mapping, complete, shape))};
  } catch (const ResourceError&) {
    return {};  // a point that does not do this metric or data
  }
}

}  // namespace gpuseq::pairwise_distance
