#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/papara/cuda/scorer.hpp"
#include "kernels/papara/data/reference_packing.hpp"
#include "kernels/papara/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/papara/cuda_points.hpp"

namespace gpuseq::papara {
namespace {

class CudaCompile : public ::testing::TestWithParam<std::tuple<Scheme, const char*>> {};

TEST_P(CudaCompile, PointsAcrossTheSpaceCompileWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const auto& [scheme, architecture] = GetParam();
  const TunedKernel<Policy>& kernels = score_kernels();
  const std::size_t turns = architecture == std::string("sm_90") ? 3 : 1;
  std::vector<Policy> policies;
  std::set<std::string> names;
  for (const Point& point : testing::covering_points(score_space(scheme), turns))
    for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein}) {
      const ScorePoint at = score_point(scheme, point, alphabet);
      if (!why_missing(at) && names.insert(kernels.name(at.policy)).second) policies.push_back(at.policy);
    }
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
                         ::testing::Combine(::testing::Values(Scheme::row_wise_global, Scheme::blocked_shared,
                                                              Scheme::blocked_registers),
                                            ::testing::Values("sm_75", "sm_90", "sm_100")),
                         [](const auto& info) {
                           const auto words = score_kernels().fields.front().words;
                           const auto scheme = static_cast<u32>(std::get<0>(info.param));
                           return std::string(words[scheme]) + "_" + std::get<1>(info.param);
                         });

TEST(CudaVariants, OfferTheSourcesOfAPointAndNoneOfWhatNvccCompiled) {
  for (const Variant& variant : cuda_variants()) {
    const auto sources_at = [&](const Point& point) {
      return variant.sources(variant.space.complete(point), problem_space().complete({}));
    };
    const std::vector<KernelSource> sources = sources_at({});
    // A border where it fits may be in either memory.
    ASSERT_EQ(sources.size(), variant.name == "blocked_registers" ? 2u : 1u) << variant.name;
    EXPECT_NE(sources[0].text.find(sources[0].name), std::string::npos);
    EXPECT_TRUE(sources_at({{"compiled_by", std::string("nvcc")}}).empty());
  }
}

TEST(CudaVariants, OfferKernelsOfAminoAcidsOrSayWhatHasNone) {
  const auto at = [](Scheme scheme, const Point& point) {
    return score_point(scheme, score_space(scheme).complete(point), Alphabet::protein);
  };
  const auto reason = [&](Scheme scheme, const Point& point) {
    return why_missing(at(scheme, point)).value_or("");
  };
  for (const Scheme scheme : {Scheme::row_wise_global, Scheme::blocked_shared, Scheme::blocked_registers}) {
    EXPECT_EQ(reason(scheme, {}), "");
    EXPECT_TRUE(score_kernels().name(at(scheme, {}).policy).ends_with("_protein"));
    EXPECT_EQ(reason(scheme, {{"elements", std::string("plain")}}),
              "elements = plain has nucleotides only; of amino acids use elements = compressed");
    EXPECT_NE(reason(scheme, {{"compiled_by", std::string("nvcc")}}), "");
  }
  EXPECT_NE(reason(Scheme::blocked_registers, {{"costs", std::string("selected")}}), "");
  EXPECT_NE(reason(Scheme::blocked_shared, testing::published_point()), "");
  EXPECT_NE(reason(Scheme::blocked_shared, {{"ends", std::string("square")}}), "");
  // 21 words of 16 columns and two references each, of 24 columns two.
  EXPECT_EQ(at(Scheme::row_wise_global, {}).policy.pack_words(), 21u);
  EXPECT_EQ(at(Scheme::blocked_shared, {}).policy.pack_words(), 42u);
  EXPECT_EQ(packed_words(at(Scheme::blocked_shared, {}).policy, 25, 65, 20), 2u * 42 * 64);
  for (const Variant& variant : cuda_variants()) {
    const Point point = variant.space.complete({});
    const Point problem = problem_space().complete({{"alphabet", std::string("protein")}});
    EXPECT_TRUE(variant.sources(point, problem).front().name.ends_with("_protein")) << variant.name;
  }
}

TEST(CudaVariants, ThePapersKernelIsAskedForAndOtherwiseLeavesKernelsAndTheirNames) {
  const SearchSpace space = score_space(Scheme::blocked_shared);
  const auto policy_of = [&](const Point& point) {
    return score_point(Scheme::blocked_shared, space.complete(point)).policy;
  };
  EXPECT_EQ(score_kernels().name(policy_of({})),
            "papara_blocked_shared_s16x2_u24_compressed_t64_selected_fused_global");
  const Policy published = policy_of(testing::published_point());
  EXPECT_EQ(score_kernels().name(published),
            "papara_blocked_shared_s32_u12_compressed_t320_selected_fused_global_printed_square");
  EXPECT_EQ(shared_bytes(published, 100), 15u * 1024);
  // A reference of 500 sites and queries of 100: a column between blocks, and the longer of two rows.
  EXPECT_EQ(scratch_bytes_per_thread(published, 500, 100, 100), 101u * 8 + 100 * 4);
  EXPECT_EQ(scratch_bytes_per_thread(published, 500'005, 100, 100), 101u * 8 + 105 * 4);
  // Two words of the twelve columns of each of 25 blocks, and a word for each site of both ends.
  EXPECT_EQ(packed_words(published, 500, 320, 100), (25u * 2 + 200) * 320);
  // The executed operations: equation 1 as it is printed, whose costs are chosen in every cell.
  EXPECT_EQ(score_instructions(published, 1).operations,
            (std::map<std::string, double>{{"add_s32", 1}, {"viaddmin_s32", 3}, {"lop3", 3}, {"shf", 3}}));
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
  expect_error_text([&] { space.complete({{"compiled_by", std::string("nvcc")}, {"unroll", 8}}); });
}

}  // namespace
}  // namespace gpuseq::papara
