#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/fm_index/cuda_policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/ptxas_log.hpp"

namespace gpuseq::fm_index {
namespace {

const std::set<std::string> kLaunchAxes{"prefix_symbols", "active_threads", "compiled_by"};

/// Every policy of a variant's listed values, for 32-bit and for 64-bit positions.
std::vector<Policy> all_policies(const Variant& variant) {
  std::map<std::string, std::vector<AxisValue>> listed;
  for (const Axis& axis : variant.space.axes())
    if (!kLaunchAxes.contains(axis.name)) listed[axis.name] = axis.values;
  std::vector<Policy> policies;
  for (const Point& point : variant.space.points(listed))
    for (const bool wide : {false, true}) {
      policies.push_back(search_point(scheme_of(variant.name), point).policy);
      policies.back().wide = wide;
    }
  return policies;
}

/// The values of two parameters of a policy.
using Pair = std::array<u32, 4>;
std::vector<Pair> pairs_of(const Policy& policy) {
  const u32 values[] = {policy.k,
                        policy.d,
                        policy.alternate,
                        policy.wide,
                        policy.threads_per_block,
                        policy.lanes_per_query,
                        policy.queries_in_flight,
                        policy.entries_in_l1};
  std::vector<Pair> pairs;
  for (u32 i = 0; i < std::size(values); ++i)
    for (u32 j = 0; j < i; ++j) pairs.push_back({i, j, values[i], values[j]});
  return pairs;
}

/// Policies that have every pair of values which some policy has; greedily few.
std::vector<Policy> covering(const std::vector<Policy>& policies) {
  std::set<Pair> missing;
  for (const Policy& policy : policies)
    for (const Pair& pair : pairs_of(policy)) missing.insert(pair);
  std::vector<Policy> chosen;
  while (!missing.empty()) {
    std::size_t most = 0;
    const Policy* best = nullptr;
    for (const Policy& policy : policies) {
      const std::vector<Pair> pairs = pairs_of(policy);
      const auto adds = static_cast<std::size_t>(std::count_if(
          pairs.begin(), pairs.end(), [&](const Pair& pair) { return missing.contains(pair); }));
      if (adds <= most) continue;
      most = adds;
      best = &policy;
    }
    chosen.push_back(*best);
    for (const Pair& pair : pairs_of(*best)) missing.erase(pair);
  }
  return chosen;
}

/// What the compiler says of each policy's kernel, compiled as one program.
std::vector<Resources> compile_all(const std::vector<Policy>& policies, const char* architecture) {
  KernelSource source = kernel_source(policies.front());
  source.text = kernel_text(policies);
  const cuda::Compiled compiled = cuda::compile(source, architecture, {});
  std::vector<Resources> resources;
  for (const Policy& policy : policies)
    resources.push_back(cuda::resources_from_ptxas_log(compiled.log, kernel_name(policy)));
  return resources;
}

class CudaCompile : public ::testing::TestWithParam<std::tuple<std::string, const char*>> {};

TEST_P(CudaCompile, APolicyForEveryPairOfValuesCompilesWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const auto& [name, architecture] = GetParam();
  const std::vector<Variant> variants = cuda_variants();
  const auto variant = std::find_if(variants.begin(), variants.end(),
                                    [name = name](const Variant& other) { return other.name == name; });
  ASSERT_NE(variant, variants.end());
  const std::vector<Policy> policies = covering(all_policies(*variant));
  const std::vector<Resources> resources = compile_all(policies, architecture);
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const u32 most_registers = std::min(255u, 65536 / policies[i].threads_per_block);
    EXPECT_GT(resources[i].registers_per_thread, 0) << kernel_name(policies[i]);
    EXPECT_LE(resources[i].registers_per_thread, static_cast<int>(most_registers))
        << kernel_name(policies[i]);
    EXPECT_EQ(resources[i].spill_bytes, 0) << kernel_name(policies[i]);
    EXPECT_EQ(resources[i].local_bytes, 0) << kernel_name(policies[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryVariant, CudaCompile,
    ::testing::Combine(::testing::Values("task_parallel", "task_parallel_16b", "task_parallel_split",
                                         "memory_cooperative", "full_cooperative", "one_hot"),
                       ::testing::Values("sm_80", "sm_90", "sm_100")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

TEST(CudaCompile, EachVariantOffersItsSources) {
  for (const Variant& variant : cuda_variants()) {
    const Point point = variant.space.complete({});
    const std::vector<KernelSource> sources = cuda_sources(variant, point);
    ASSERT_EQ(sources.size(), 2u) << variant.name;
    EXPECT_EQ(sources[1].name, sources[0].name + "_wide");
    for (const KernelSource& source : sources) {
      EXPECT_NE(source.text.find(source.name), std::string::npos);
      EXPECT_TRUE(source.headers.contains("kernels/fm_index/search.cuh"));
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
