#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "kernels/exact_match/cuda/policy.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"

namespace gpuseq::exact_match {
namespace {

/// The policies of some points, each once: all memories and
/// results, some lanes and threads, and the paper's choices.
std::vector<MatchPolicy> covering_policies() {
  std::vector<MatchPolicy> policies;
  std::set<std::string> names;
  for (const CudaTraversal* variant : {&kTreeGpu, &kTreeWordsGpu})
    for (const Point& point : variant->space().all_points()) {
      const MatchPolicy policy = variant->at(point).policy;
      const int paper = policy.leaf_nodes + policy.compared_ends + policy.computed;
      const int all_paper = policy.listed ? 2 : 3;
      const bool usual = policy.threads == 128 && (policy.lanes == 1 || policy.lanes == 8);
      const bool ours = paper == 0 && (usual || (policy.threads == 512 && policy.lanes == 1));
      const bool papers = policy.threads == 128 && policy.lanes == 1 && (paper == 1 || paper == all_paper);
      const bool taken = ours || papers;
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
  std::vector<MatchPolicy> policies = covering_policies();
  // From 5 memories with their orders and from words with both results;
  // of the former each of the paper's choices alone, and all of them.
  ASSERT_EQ(policies.size(), 6u * 2 * 3 + 5 * (4 + 3));
  // Elsewhere than on sm_90 every fifth: other instructions, the same space. Five has no factor in common
  // with the lengths of the product's factors, so that each value is among them.
  if (GetParam() != std::string("sm_90"))
    std::erase_if(policies, [n = 0](const MatchPolicy&) mutable { return n++ % 5 != 0; });
  KernelSource source = match_kernels().source(policies.front(), device_headers());
  source.text = match_kernels().text(policies);
  const cuda::Compiled compiled = cuda::compile(source, GetParam(), {});
  for (const MatchPolicy& policy : policies) {
    const Resources used = cuda::kernel_resources(compiled.cubin, compiled.log, match_kernels().name(policy));
    EXPECT_GT(used.registers_per_thread, 0) << match_kernels().name(policy);
    EXPECT_EQ(used.spill_bytes, 0) << match_kernels().name(policy);
    EXPECT_EQ(used.local_bytes, 0) << match_kernels().name(policy);
    // Those that leave slots are resident with all the threads of a multiprocessor, or nearly: of sm_75 it
    // has half as many as of the others.
    const int most = policy.leaf_nodes && GetParam() == std::string("sm_75") ? 64 : 40;
    EXPECT_TRUE(policy.listed || used.registers_per_thread <= most) << match_kernels().name(policy);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, CudaCompile, ::testing::Values("sm_75", "sm_90", "sm_100"),
                         [](const auto& info) { return info.param; });

template <typename Number>
Number number_at(const std::string& bytes, u64 offset) {
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

/// Instructions of a kernel, of sm_70 and later: two words each.
struct Instruction {
  u64 low, high;
  bool is(u64 operation) const { return (low & 0xfff) == operation; }
};
std::vector<Instruction> instructions_of(const std::string& cubin, const std::string& kernel) {
  const u64 headers = number_at<u64>(cubin, 0x28);
  const u64 header_bytes = number_at<u16>(cubin, 0x3a), count = number_at<u16>(cubin, 0x3c);
  const auto header = [&](u64 section) { return headers + section * header_bytes; };
  const u64 names = number_at<u64>(cubin, header(number_at<u16>(cubin, 0x3e)) + 0x18);
  std::vector<Instruction> all;
  for (u64 section = 0; section < count; ++section) {
    if (cubin.data() + names + number_at<u32>(cubin, header(section)) != ".text." + kernel) continue;
    all.resize(number_at<u64>(cubin, header(section) + 0x20) / sizeof(Instruction));
    std::memcpy(all.data(), cubin.data() + number_at<u64>(cubin, header(section) + 0x18),
                all.size() * sizeof(Instruction));
  }
  return all;
}

/// Else those whose ways part at a position go on alone to the end of their strands.
TEST(CudaCompileOfTree, ThreadsThatGoDownMeetBeforeTheyWriteASlot) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  constexpr u64 kLoad = 0x981, kStore = 0x986, kMeetLater = 0x945;  // LDG, STG, BSSY
  const MatchPolicy policy;
  const KernelSource source = match_kernels().source(policy, device_headers());
  const cuda::Compiled compiled = cuda::compile(source, "sm_90", {});
  const auto all = instructions_of(compiled.cubin, match_kernels().name(policy));
  const auto store = std::ranges::find_if(all, [](const Instruction& at) { return at.is(kStore); });
  ASSERT_NE(store, all.end());
  i64 node = -1;  // the last place before where 16 bytes are read
  std::vector<std::pair<i64, i64>> meetings;
  for (auto at = all.begin(); at != store; ++at) {
    const i64 place = at - all.begin();
    if (at->is(kLoad) && (at->high >> 8 & 0xf) == 0xd) node = place;
    if (at->is(kMeetLater)) meetings.emplace_back(place, place + 1 + static_cast<i32>(at->low >> 32) / 16);
  }
  ASSERT_GE(node, 0);
  EXPECT_TRUE(std::ranges::any_of(meetings, [&](const auto& meeting) {
    return meeting.first < node && node < meeting.second && meeting.second <= store - all.begin();
  }));
}

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
