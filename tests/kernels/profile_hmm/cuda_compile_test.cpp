#include <gtest/gtest.h>

#include "cuda_points.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"

namespace gpuseq::profile_hmm {
namespace {

class CudaCompile : public ::testing::TestWithParam<std::tuple<Mapping, const char*>> {};

TEST_P(CudaCompile, PoliciesAcrossTheSpaceCompileWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const auto& [mapping, architecture] = GetParam();
  std::vector<Policy> policies = testing::covering_policies(mapping, 100);
  ASSERT_GT(policies.size(), 20u);
  // Elsewhere than on sm_90 some: other instructions, the same space.
  if (architecture != std::string("sm_90"))
    std::erase_if(policies, [n = 0](const Policy&) mutable { return n++ % 5 != 0; });
  const TunedKernel<Policy>& kernels = filter_kernels();
  KernelSource source = kernels.source(policies.front(), device_headers());
  source.text = kernels.text(policies);
  const cuda::Compiled compiled = cuda::compile(source, architecture, {});
  for (const Policy& policy : policies) {
    const Resources used = cuda::kernel_resources(compiled.cubin, compiled.log, kernels.name(policy));
    EXPECT_GT(used.registers_per_thread, 0) << kernels.name(policy);
    if (kernels.may_spill(policy)) continue;
    EXPECT_EQ(used.spill_bytes, 0) << kernels.name(policy);
    EXPECT_EQ(used.local_bytes, 0) << kernels.name(policy);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, CudaCompile,
                         ::testing::Combine(::testing::Values(Mapping::video_warp, Mapping::lane_groups),
                                            ::testing::Values("sm_75", "sm_90", "sm_100")),
                         [](const auto& info) {
                           const bool video = std::get<0>(info.param) == Mapping::video_warp;
                           return std::string(video ? "video_warp_" : "lane_groups_") +
                                  std::get<1>(info.param);
                         });

TEST(CudaCompile, RowsOfUsualModelsStayInRegisters) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const FilterPoint at = filter_point(Mapping::lane_groups, filter_space(Mapping::lane_groups).complete({}));
  std::vector<Policy> policies;
  for (const u32 length : {100u, 400u, 2405u})
    for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi}) {
      policies.push_back(choose_policy(at, {.filter = filter, .model_length = length}));
      EXPECT_EQ(policies.back().row, Memory::registers) << filter_kernels().name(policies.back());
    }
  const TunedKernel<Policy>& kernels = filter_kernels();
  KernelSource source = kernels.source(policies.front(), device_headers());
  source.text = kernels.text(policies);
  const cuda::Compiled compiled = cuda::compile(source, "sm_90", {});
  for (const Policy& policy : policies) {
    const Resources used = cuda::kernel_resources(compiled.cubin, compiled.log, kernels.name(policy));
    EXPECT_EQ(used.spill_bytes, 0) << kernels.name(policy) << ": " << used.registers_per_thread
                                   << " registers";
  }
}

// A row of four words counted as loaded violated its bound by a fifth: the compiler had it in registers.
TEST(CudaCompile, RowsInLocalMemoryCountAsLoadedWhereTheirKernelsHaveLocalMemory) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const SearchSpace space = filter_space(Mapping::lane_groups);
  std::vector<Policy> policies;
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
    for (const u32 length : {100u, 200u, 300u, 600u, 1200u})
      for (const int unroll : {1, 2, 4}) {
        const Point point = space.complete({{"row", "local"}, {"lanes", 32}, {"unroll", unroll}});
        policies.push_back(choose_policy(filter_point(Mapping::lane_groups, point),
                                         {.filter = filter, .model_length = length}));
      }
  const TunedKernel<Policy>& kernels = filter_kernels();
  KernelSource source = kernels.source(policies.front(), device_headers());
  source.text = kernels.text(policies);
  const cuda::Compiled compiled = cuda::compile(source, "sm_90", {});
  int loaded = 0;
  for (const Policy& policy : policies) {
    const Resources used = cuda::kernel_resources(compiled.cubin, compiled.log, kernels.name(policy));
    Policy in_shared = policy;
    in_shared.row = Memory::shared;
    const bool counted = instructions_per_word(policy) == instructions_per_word(in_shared);
    EXPECT_EQ(counted, used.local_bytes > 0) << kernels.name(policy) << ": " << used.local_bytes;
    loaded += counted;
  }
  EXPECT_GT(loaded, 0);
  EXPECT_LT(loaded, static_cast<int>(policies.size()));
}

TEST(CudaCompile, ThePapersKernelHas64RegistersWhichOnlyViterbiSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const SearchSpace space = filter_space(Mapping::video_warp);
  const FilterPoint at =
      filter_point(Mapping::video_warp, space.complete(testing::published_point("constant", "nvrtc")));
  const TunedKernel<Policy>& kernels = filter_kernels();
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi}) {
    const Policy policy = choose_policy(at, {.filter = filter, .model_length = 1200});
    const cuda::Compiled compiled = cuda::compile(kernels.source(policy, device_headers()), "sm_90", {});
    const Resources used = cuda::kernel_resources(compiled.cubin, compiled.log, kernels.name(policy));
    EXPECT_LE(used.registers_per_thread, 64) << kernels.name(policy);
    EXPECT_EQ(used.spill_bytes > 0, filter == Filter::viterbi) << kernels.name(policy);
  }
}

TEST(CudaVariants, OfferTheSourceOfAFilterAndModelAndNoneOfWhatNvccCompiledOrCannotBe) {
  const auto sources = [](const Variant& variant, const Point& point, const Point& problem) {
    return variant.sources(variant.space.complete(point), problem_space().complete(problem));
  };
  for (const Variant& variant : cuda_variants()) {
    for (const char* filter : {"ssv", "msv", "viterbi"}) {
      const auto found = sources(variant, {}, {{"filter", std::string(filter)}, {"model_length", 200}});
      // And that of the kernel that scores the remaining sequences again.
      const bool leaves = variant.name.starts_with("lane_groups") && filter != std::string("ssv");
      ASSERT_EQ(found.size(), leaves ? 2u : 1u) << variant.name << filter;
      EXPECT_NE(found[0].name.find(filter), std::string::npos) << found[0].name;
      EXPECT_NE(found[0].text.find(found[0].name), std::string::npos);
      EXPECT_NE(found[0].name, sources(variant, {}, {{"filter", std::string(filter)}})[0].name);
    }
    const Point ahead{{"compiled_by", std::string("nvcc")}, {"stripes", std::string("variable")}};
    EXPECT_TRUE(sources(variant, ahead, {}).empty());
  }
  const Variant on_gpus = cuda_variants().back();
  EXPECT_TRUE(sources(on_gpus, {{"arithmetic", std::string("s32")}}, {}).empty());
}

}  // namespace
}  // namespace gpuseq::profile_hmm
