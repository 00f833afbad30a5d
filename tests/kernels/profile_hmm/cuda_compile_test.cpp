#include <gtest/gtest.h>

#include "cuda_points.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/ptxas_log.hpp"

namespace gpuseq::profile_hmm {
namespace {

class CudaCompile : public ::testing::TestWithParam<std::tuple<std::string, const char*>> {};

TEST_P(CudaCompile, PoliciesAcrossTheSpaceCompileWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const auto& [name, architecture] = GetParam();
  std::vector<Policy> policies = testing::covering_policies(testing::cuda_variant(name), 100);
  ASSERT_GT(policies.size(), 20u);
  // Elsewhere than on sm_90 some: other instructions, the same space.
  if (architecture != std::string("sm_90"))
    std::erase_if(policies, [n = 0](const Policy&) mutable { return n++ % 5 != 0; });
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

INSTANTIATE_TEST_SUITE_P(EveryVariant, CudaCompile,
                         ::testing::Combine(::testing::Values("video_warp", "lane_groups"),
                                            ::testing::Values("sm_75", "sm_90", "sm_100")),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

TEST(CudaCompile, RowsOfUsualModelsStayInRegisters) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const FilterPoint at = filter_point(Mapping::lane_groups, filter_space(Mapping::lane_groups).complete({}));
  std::vector<Policy> policies;
  for (const u32 length : {100u, 400u, 2405u})
    for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi}) {
      policies.push_back(choose_policy(at, {.filter = filter, .model_length = length}));
      EXPECT_EQ(policies.back().row, Memory::registers) << kernel_name(policies.back());
    }
  KernelSource source = kernel_source(policies.front());
  source.text = kernel_text(policies);
  const cuda::Compiled compiled = cuda::compile(source, "sm_90", {});
  for (const Policy& policy : policies) {
    const Resources used = cuda::resources_from_ptxas_log(compiled.log, kernel_name(policy));
    EXPECT_EQ(used.spill_bytes, 0) << kernel_name(policy) << ": " << used.registers_per_thread
                                   << " registers";
  }
}

TEST(CudaVariants, OfferTheSourceOfAFilterAndModelAndNoneOfWhatNvccCompiledOrCannotBe) {
  const auto sources = [](const Variant& variant, const Point& point, const Point& problem) {
    return cuda_sources(variant, variant.space.complete(point), problem_space().complete(problem));
  };
  for (const Variant& variant : cuda_variants()) {
    for (const char* filter : {"ssv", "msv", "viterbi"}) {
      const auto found = sources(variant, {}, {{"filter", std::string(filter)}, {"model_length", 200}});
      // And that of what scores again what it leaves.
      const bool leaves = variant.name == "lane_groups" && filter != std::string("ssv");
      ASSERT_EQ(found.size(), leaves ? 2u : 1u) << variant.name << filter;
      EXPECT_NE(found[0].name.find(filter), std::string::npos) << found[0].name;
      EXPECT_NE(found[0].text.find(found[0].name), std::string::npos);
      EXPECT_NE(found[0].name, sources(variant, {}, {{"filter", std::string(filter)}})[0].name);
    }
    const Point ahead{{"compiled_by", std::string("nvcc")}, {"stripes", std::string("variable")}};
    EXPECT_TRUE(sources(variant, ahead, {}).empty());
  }
  EXPECT_TRUE(
      sources(testing::cuda_variant("lane_groups"), {{"arithmetic", std::string("s32")}}, {}).empty());
}

}  // namespace
}  // namespace gpuseq::profile_hmm
