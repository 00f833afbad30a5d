#include <gtest/gtest.h>

#include "cuda_points.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/ptxas_log.hpp"

namespace gpuseq::pairwise_distance {
namespace {

bool policy_is_of_bits(const LadderPolicy&) {
  return false;
}
bool policy_is_of_bits(const TilePolicy& policy) {
  return policy.product == Product::matrix_b1;
}

/// Compiles the kernels of some policies at once and expects none to spill that does not say so.
template <class Policy>
void expect_no_spills(const std::vector<Policy>& policies, const std::string& text,
                      const char* architecture) {
  KernelSource source = kernel_source(policies.front());
  source.text = text;
  const cuda::Compiled compiled = cuda::compile(source, architecture, {});
  for (const Policy& policy : policies) {
    const Resources used = cuda::resources_from_ptxas_log(compiled.log, kernel_name(policy));
    EXPECT_GT(used.registers_per_thread, 0) << kernel_name(policy);
    // Products of bits are instructions up to sm_90, where they leave registers.
    const bool bits = policy_is_of_bits(policy) && architecture == std::string("sm_90");
    if (kernel_source(policy).may_spill && !bits) continue;
    EXPECT_EQ(used.spill_bytes, 0) << kernel_name(policy);
    EXPECT_EQ(used.local_bytes, 0) << kernel_name(policy);
  }
}

class CudaCompile : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  }
  /// Elsewhere than on sm_90 some: other instructions, the same space.
  void expect_variant_compiles(const char* variant) {
    std::vector<TilePolicy> policies = testing::covering_policies(testing::cuda_variant(variant));
    ASSERT_GT(policies.size(), 15u);
    const int every = GetParam() == std::string("sm_90") ? 2 : 6;
    std::erase_if(policies, [n = 0, every](const TilePolicy&) mutable { return n++ % every != 0; });
    expect_no_spills(policies, kernel_text({}, policies), GetParam());
  }
};

TEST_P(CudaCompile, TheLadderDoesNotSpill) {
  std::vector<LadderPolicy> policies;
  for (const char* name : {"naive", "coalesced", "char4", "register", "shared"})
    for (const Point& point : testing::covering_points(testing::cuda_variant(name)))
      policies.push_back(choose_ladder_policy(mapping_of(name), point, {.instances = 100}));
  expect_no_spills(policies, kernel_text(policies, {}), GetParam());
}

TEST_P(CudaCompile, RegisterTiledDoesNotSpill) {
  expect_variant_compiles("register_tiled");
}

TEST_P(CudaCompile, Dp4aDoesNotSpill) {
  expect_variant_compiles("dp4a");
}

TEST_P(CudaCompile, TensorDoesNotSpill) {
  expect_variant_compiles("tensor");
}

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, CudaCompile, ::testing::Values("sm_75", "sm_90", "sm_100"),
                         [](const auto& info) { return info.param; });

TEST(CudaCompile, DefaultsOfTernaryDataNeverSpill) {
  for (const char* name : {"register_tiled", "dp4a", "tensor"}) {
    const Variant variant = testing::cuda_variant(name);
    for (const u64 instances : {112u, 1000u, 4096u, 16'384u})
      for (const bool missing : {false, true}) {
        const TilePolicy policy = choose_tile_policy(mapping_of(name), variant.space.complete({}),
                                                     {.missing = missing, .instances = instances});
        EXPECT_TRUE(policy.product == Product::matrix_b1 || !kernel_source(policy).may_spill)
            << kernel_name(policy);
      }
  }
}

TEST(CudaVariants, OfferTheSourceOfAProblemAndNoneOfWhatNvccCompiledOrCannotBe) {
  const Point problem = problem_space().complete({});
  for (const Variant& variant : cuda_variants()) {
    const auto sources = cuda_sources(variant, variant.space.complete({}), problem);
    ASSERT_EQ(sources.size(), 1u) << variant.name;
    EXPECT_NE(sources[0].text.find(sources[0].name + "("), std::string::npos) << variant.name;
    const Point ahead = variant.space.complete({{"compiled_by", std::string("nvcc")}});
    EXPECT_TRUE(cuda_sources(variant, ahead, problem).empty()) << variant.name;
    const Point missing = problem_space().complete({{"missing", 100}});
    const bool ladder = is_ladder(mapping_of(variant.name));
    EXPECT_EQ(cuda_sources(variant, variant.space.complete({}), missing).empty(), ladder) << variant.name;
  }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
