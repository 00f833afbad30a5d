#include <gtest/gtest.h>

#include "cuda_points.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"
#include "tests/probes/disassembly.hpp"

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
void expect_no_spills(const TunedKernel<Policy>& kernels, const std::vector<Policy>& policies,
                      const char* architecture) {
  KernelSource source = kernels.source(policies.front(), device_headers());
  source.text = kernels.text(policies);
  const cuda::Compiled compiled = cuda::compile(source, architecture, {});
  for (const Policy& policy : policies) {
    const std::string name = kernels.name(policy);
    const Resources used = cuda::kernel_resources(compiled.cubin, compiled.log, name);
    EXPECT_GT(used.registers_per_thread, 0) << name;
    // Products of bits are instructions up to sm_90, where they leave registers.
    const bool bits = policy_is_of_bits(policy) && architecture == std::string("sm_90");
    if (kernels.may_spill(policy) && !bits) continue;
    EXPECT_EQ(used.spill_bytes, 0) << name;
    EXPECT_EQ(used.local_bytes, 0) << name;
  }
}

class CudaCompile : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  }
  /// Elsewhere than on sm_90 some: other instructions, the same space.
  void expect_variant_compiles(const char* variant) {
    std::vector<TilePolicy> policies = testing::covering_policies(testing::tile_variant(variant));
    ASSERT_GT(policies.size(), 15u);
    const int every = GetParam() == std::string("sm_90") ? 2 : 6;
    std::erase_if(policies, [n = 0, every](const TilePolicy&) mutable { return n++ % every != 0; });
    expect_no_spills(tile_kernels(), policies, GetParam());
  }
};

TEST_P(CudaCompile, TheLadderDoesNotSpill) {
  std::vector<LadderPolicy> policies;
  for (const LadderVariant& variant : ladder_variants())
    for (const Point& point : testing::covering_points(variant.space()))
      policies.push_back(variant.choose(point, {.instances = 100}));
  expect_no_spills(ladder_kernels(), policies, GetParam());
}

TEST(CudaCompile, TheLadderReadsAndAddsByTheInstructionsThatItsVariantsAreOf) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  for (const LadderVariant& variant : ladder_variants()) {
    const LadderPolicy& policy = variant.policy;
    const KernelSource source = ladder_kernels().source(policy, device_headers());
    const auto entries = probes::disassembly::disassembled(cuda::compile(source, "sm_90", {}).cubin);
    if (entries.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
    const auto count = [&](std::string_view part) {
      return std::ranges::count_if(entries.at(source.name),
                                   [&](const auto& at) { return at.text.find(part) != std::string::npos; });
    };
    EXPECT_EQ(count("LDG") > 0, policy.path == ReadPath::global) << variant.name;
    // The bank of variables; arguments are in another.
    EXPECT_EQ(count("c[0x3]") > 0, policy.path == ReadPath::constant) << variant.name;
    EXPECT_EQ(count("TLD") > 0, policy.path == ReadPath::texture) << variant.name;
    EXPECT_EQ(count("SHFL"), policy.sum == Sum::shuffles ? 5 + 2 : 0) << variant.name;
    // A barrier before each of the halvings of 128 threads.
    EXPECT_EQ(count("BAR.SYNC"), policy.adds() ? 0 : policy.sum == Sum::tree ? 7 : 1) << variant.name;
  }
}

TEST_P(CudaCompile, RegisterTiledDoesNotSpill) {
  expect_variant_compiles("register_tiled");
}

TEST_P(CudaCompile, Dp4aDoesNotSpill) {
  expect_variant_compiles("dp4a");
}

TEST_P(CudaCompile, FloatTiledDoesNotSpill) {
  expect_variant_compiles("float_tiled");
}

/// A difference and a fused product and sum for each attribute of a pair, and the cost of the root.
TEST(CudaCompile, RealValuesTakeTwoInstructions) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const TileVariant& variant = testing::tile_variant("float_tiled");
  const TilePolicy policy =
      variant.choose(variant.space().complete({}), {.metric = Metric::euclidean, .instances = 10'000});
  const KernelSource source = tile_kernels().source(policy, device_headers());
  const auto entries = probes::disassembly::disassembled(cuda::compile(source, "sm_90", {}).cubin);
  if (entries.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
  const auto count = [&](std::string_view part) {
    return std::ranges::count_if(entries.at(source.name),
                                 [&](const auto& at) { return at.text.find(part) != std::string::npos; });
  };
  const auto of_a_piece = static_cast<std::ptrdiff_t>(4 * policy.rows * policy.columns);
  EXPECT_GE(count("FADD"), of_a_piece);
  EXPECT_LT(count("FADD"), 1.1 * static_cast<double>(of_a_piece));
  EXPECT_GE(count("FFMA"), of_a_piece);
  EXPECT_LT(count("FFMA"), 2 * of_a_piece);
}

TEST_P(CudaCompile, TensorDoesNotSpill) {
  expect_variant_compiles("tensor");
}

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, CudaCompile, ::testing::Values("sm_75", "sm_90", "sm_100"),
                         [](const auto& info) { return info.param; });

TEST(CudaCompile, DefaultsOfTernaryDataNeverSpill) {
  for (const TileVariant& variant : tile_variants())
    for (const u64 instances : {112u, 1000u, 4096u, 16'384u})
      for (const bool missing : {false, true}) {
        const TilePolicy policy =
            variant.choose(variant.space().complete({}), {.missing = missing, .instances = instances});
        EXPECT_TRUE(policy.product == Product::matrix_b1 || !tile_kernels().may_spill(policy))
            << tile_kernels().name(policy);
      }
}

TEST(CudaVariants, OfferTheSourceOfAProblemAndNoneOfWhatNvccCompiledOrCannotBe) {
  const Point problem = problem_space().complete({});
  for (const Variant& variant : cuda_variants()) {
    const auto sources = variant.sources(variant.space.complete({}), problem);
    ASSERT_EQ(sources.size(), 1u) << variant.name;
    EXPECT_NE(sources[0].text.find(sources[0].name + "("), std::string::npos) << variant.name;
    const Point ahead = variant.space.complete({{"compiled_by", std::string("nvcc")}});
    EXPECT_TRUE(variant.sources(ahead, problem).empty()) << variant.name;
    const Point missing = problem_space().complete({{"missing", 100}});
    EXPECT_EQ(variant.sources(variant.space.complete({}), missing).empty(), testing::is_ladder(variant.name))
        << variant.name;
  }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
