#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"
#include "tests/kernels/fm_index/cuda_covering.hpp"

namespace gpuseq::fm_index {
namespace {

/// The compiler's output for each policy's kernel, compiled as one program.
std::vector<Resources> compile_all(const std::vector<Policy>& policies, const char* architecture) {
  KernelSource source = search_kernels().source(policies.front(), device_headers());
  source.text = search_kernels().text(policies);
  const cuda::Compiled compiled = cuda::compile(source, architecture, {});
  std::vector<Resources> resources;
  for (const Policy& policy : policies)
    resources.push_back(cuda::kernel_resources(compiled.cubin, compiled.log, search_kernels().name(policy)));
  return resources;
}

class CudaCompile : public ::testing::TestWithParam<std::tuple<std::string, const char*>> {};

// On sm_90 of every pair of values; elsewhere of every value: other instructions, the same space.
TEST_P(CudaCompile, PoliciesAcrossTheSpaceCompileWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const auto& [name, architecture] = GetParam();
  const std::vector<Variant> variants = cuda_variants();
  const auto variant = std::find_if(variants.begin(), variants.end(),
                                    [name = name](const Variant& other) { return other.name == name; });
  ASSERT_NE(variant, variants.end());
  const bool hopper = architecture == std::string("sm_90");
  const std::vector<Policy> policies = testing::covering(
      testing::all_policies(*variant), hopper ? testing::Cover::pairs : testing::Cover::values);
  const std::vector<Resources> resources = compile_all(policies, architecture);
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const u32 most_registers = std::min(255u, 65536 / policies[i].threads_per_block);
    EXPECT_GT(resources[i].registers_per_thread, 0) << search_kernels().name(policies[i]);
    EXPECT_LE(resources[i].registers_per_thread, static_cast<int>(most_registers))
        << search_kernels().name(policies[i]);
    EXPECT_EQ(resources[i].spill_bytes, 0) << search_kernels().name(policies[i]);
    EXPECT_EQ(resources[i].local_bytes, 0) << search_kernels().name(policies[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryVariant, CudaCompile,
    ::testing::Combine(::testing::Values("task_parallel", "task_parallel_16b", "task_parallel_split",
                                         "memory_cooperative", "full_cooperative", "full_cooperative_split",
                                         "one_hot", "one_hot_routed", "psi", "psi_lines", "elias_fano",
                                         "verify"),
                       ::testing::Values("sm_80", "sm_90", "sm_100")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

TEST(CudaCompile, EachVariantOffersItsSources) {
  for (const Variant& variant : cuda_variants()) {
    const Point point = variant.space.complete({});
    const std::vector<KernelSource> sources = variant.sources(point, {});
    const bool narrow = !Policy{.scheme = testing::scheme_named(variant.name)}.layout().may_be_wide();
    ASSERT_EQ(sources.size(), narrow ? 1u : 2u) << variant.name;
    if (!narrow) {
      EXPECT_NE(sources[1].name.find("_wide"), std::string::npos);
    }
    EXPECT_EQ(sources[0].name.find("_wide"), std::string::npos);
    for (const KernelSource& source : sources) {
      EXPECT_NE(source.text.find(source.name), std::string::npos);
      EXPECT_TRUE(source.headers.contains("kernels/fm_index/cuda/search.cuh"));
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
