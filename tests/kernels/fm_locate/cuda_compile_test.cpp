#include <gtest/gtest.h>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"
#include "tests/kernels/fm_locate/cuda_policies.hpp"

namespace gpuseq::fm_locate {
namespace {

class LocateCompile : public ::testing::TestWithParam<const char*> {};

/// Lines stay in registers: the chosen part of them is known when it is compiled.
TEST_P(LocateCompile, PoliciesCompileWithoutSpillsAndLocalMemory) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  std::vector<Policy> policies = testing::all_policies();
  // Elsewhere than on sm_90 some, of every value: other instructions, the same space.
  if (GetParam() != std::string("sm_90"))
    std::erase_if(policies, [n = 0](const Policy&) mutable { return n++ % 7 != 0; });
  KernelSource source = locate_kernels().source(policies.front(), device_headers());
  source.text = locate_kernels().text(policies);
  const cuda::Compiled compiled = cuda::compile(source, GetParam(), {});
  for (const Policy& policy : policies) {
    const std::string name = locate_kernels().name(policy);
    const Resources resources = cuda::kernel_resources(compiled.cubin, compiled.log, name);
    EXPECT_GT(resources.registers_per_thread, 0) << name;
    EXPECT_LE(resources.registers_per_thread, 64) << name;
    EXPECT_EQ(resources.spill_bytes, 0) << name;
    EXPECT_EQ(resources.local_bytes, 0) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, LocateCompile,
                         ::testing::Values("sm_75", "sm_80", "sm_90", "sm_100"));

}  // namespace
}  // namespace gpuseq::fm_locate
