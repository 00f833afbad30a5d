#include <gtest/gtest.h>

#include <set>

#include "kernels/exact_match/cuda/policy.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"

namespace gpuseq::exact_match {
namespace {

/// The policies of some points, each once: all memories, results, and some lanes and threads.
std::vector<MatchPolicy> covering_policies() {
  std::vector<MatchPolicy> policies;
  std::set<std::string> names;
  for (const CudaTraversal* variant : {&kTreeGpu, &kTreeWordsGpu})
    for (const Point& point : variant->space().all_points()) {
      const MatchPolicy policy = variant->at(point).policy;
      const bool usual = policy.threads == 128 && (policy.lanes == 1 || policy.lanes == 8);
      const bool taken = usual || (policy.threads == 512 && policy.lanes == 1);
      if (taken && names.insert(match_kernels().name(policy)).second) policies.push_back(policy);
    }
  return policies;
}

class CudaCompile : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  }
};

TEST_P(CudaCompile, NoKernelSpills) {
  const std::vector<MatchPolicy> policies = covering_policies();
  ASSERT_EQ(policies.size(), 6u * 2 * 3);
  KernelSource source = match_kernels().source(policies.front(), device_headers());
  source.text = match_kernels().text(policies);
  const cuda::Compiled compiled = cuda::compile(source, GetParam(), {});
  for (const MatchPolicy& policy : policies) {
    const Resources used = cuda::kernel_resources(compiled.cubin, compiled.log, match_kernels().name(policy));
    EXPECT_GT(used.registers_per_thread, 0) << match_kernels().name(policy);
    EXPECT_EQ(used.spill_bytes, 0) << match_kernels().name(policy);
    EXPECT_EQ(used.local_bytes, 0) << match_kernels().name(policy);
    // Those that leave slots are resident with all the threads of a multiprocessor, or nearly.
    EXPECT_TRUE(policy.listed || used.registers_per_thread <= 40) << match_kernels().name(policy);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, CudaCompile, ::testing::Values("sm_75", "sm_90", "sm_100"),
                         [](const auto& info) { return info.param; });

TEST(CudaVariants, OfferTheSourceOfAPointAndNoneOfWhatNvccCompiled) {
  for (const MatchVariant& of : cuda_variants()) {
    const Variant& variant = of.variant;
    const auto sources = variant.sources(variant.space.complete({}), {});
    ASSERT_EQ(sources.size(), 1u) << variant.name;
    EXPECT_NE(sources[0].text.find(sources[0].name + "("), std::string::npos) << variant.name;
    EXPECT_FALSE(sources[0].may_spill);
    const Point ahead = variant.space.complete({{"compiled_by", std::string("nvcc")}});
    EXPECT_TRUE(variant.sources(ahead, {}).empty()) << variant.name;
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
