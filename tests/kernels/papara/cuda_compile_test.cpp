#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/ptxas_log.hpp"
#include "runtime/errors.hpp"
#include "tests/kernels/papara/cuda_points.hpp"

namespace gpuseq::papara {
namespace {

class CudaCompile : public ::testing::TestWithParam<std::tuple<std::string, const char*>> {};

TEST_P(CudaCompile, PointsAcrossTheSpaceCompileWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const auto& [name, architecture] = GetParam();
  const Scheme scheme = scheme_of(name);
  const Variant variant{
      .name = name, .device = DeviceKind::cuda, .summary = "", .space = score_space(scheme)};
  std::vector<Policy> policies;
  std::set<std::string> names;
  for (const Point& point : testing::covering_points(variant, architecture == std::string("sm_90") ? 3 : 1))
    if (const Policy policy = score_point(scheme, point).policy; names.insert(kernel_name(policy)).second)
      policies.push_back(policy);
  KernelSource source = kernel_source(policies.front());
  source.text = kernel_text(policies);
  const cuda::Compiled compiled = cuda::compile(source, architecture, {});
  for (const Policy& policy : policies) {
    const Resources used = cuda::resources_from_ptxas_log(compiled.log, kernel_name(policy));
    EXPECT_GT(used.registers_per_thread, 0) << kernel_name(policy);
    if (kernel_source(policy).may_spill) continue;
    EXPECT_EQ(used.spill_bytes, 0) << kernel_name(policy);
    EXPECT_EQ(used.local_bytes, 0) << kernel_name(policy);
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryVariant, CudaCompile,
    ::testing::Combine(::testing::Values("row_wise_global", "blocked_shared", "blocked_registers"),
                       ::testing::Values("sm_75", "sm_90", "sm_100")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

TEST(CudaVariants, OfferTheSourcesOfAPointAndNoneOfWhatNvccCompiled) {
  for (const Variant& variant : cuda_variants()) {
    const std::vector<KernelSource> sources = cuda_sources(variant, variant.space.complete({}));
    // A border where it fits may be in either memory.
    ASSERT_EQ(sources.size(), variant.name == "blocked_registers" ? 2u : 1u) << variant.name;
    EXPECT_NE(sources[0].text.find(sources[0].name), std::string::npos);
    EXPECT_TRUE(
        cuda_sources(variant, variant.space.complete({{"compiled_by", std::string("nvcc")}})).empty());
  }
}

TEST(CudaVariants, BordersAreInSharedMemoryAsLongAsTwoWarpsASchedulerFit) {
  constexpr std::size_t kHopper = 228 * 1024, kTuring = 64 * 1024;
  EXPECT_TRUE(borders_fit(kHopper, 100));
  EXPECT_FALSE(borders_fit(kHopper, 150));
  EXPECT_TRUE(borders_fit(kTuring, 30));
  EXPECT_FALSE(borders_fit(kTuring, 100));
}

TEST(CudaVariants, APointThatNvccDidNotCompileIsRefusedWithTheReason) {
  const SearchSpace space = score_space(Scheme::blocked_registers);
  try {
    space.complete({{"compiled_by", std::string("nvcc")}, {"unroll", 8}});
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("compiled_by = nvrtc"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gpuseq::papara
