#include <gmock/gmock.h>

#include <map>
#include <string>

#include "probes/cuda/access.cuh"
#include "probes/cuda/probes.hpp"
#include "probes/probes.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/probes/disassembly.hpp"

// What ptxas makes of atomic additions and of barriers. Needs no GPU.

namespace gpuseq::probes {
namespace {

KernelSource source_of(const std::string& probe, const std::string& point) {
  for (const auto& each : make_probes()) {
    if (each->name() != probe) continue;
    const Variant& variant = each->variant("cuda");
    return variant.sources(variant.space.complete(Point::parse(point)), {}).front();
  }
  throw std::runtime_error("no probe " + probe);
}

/// How often each instruction stands in the kernel's loop; empty where nothing can be disassembled.
std::map<std::string, unsigned> loop_on_sm90(const KernelSource& source) {
  const auto entries = disassembly::disassembled(cuda::compile(source, "sm_90", {}).cubin);
  return entries.empty() ? std::map<std::string, unsigned>{} : disassembly::loop_of(entries.at(source.name));
}

TEST(CudaAtomics, OfOneCounterAndOfManyAreTheSameInstructionsOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  // Of shared memory the two differ in whether the old value has a register.
  const std::map<std::string, std::string> expected{
      {"memory=shared,operation=add", "ATOMS.ADD"},
      {"memory=shared,operation=fetch_add", "ATOMS.ADD"},
      {"memory=global,operation=add", "REDG.E.ADD.STRONG.GPU"},
      {"memory=global,operation=fetch_add", "ATOMG.E.ADD.STRONG.GPU"}};
  for (const auto& [point, instruction] : expected)
    for (const char* lanes : {"1", "32"}) {
      const auto loop = loop_on_sm90(source_of("atomics", point + ",conflict_lanes=" + lanes));
      if (loop.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
      EXPECT_EQ(loop.contains(instruction) ? loop.at(instruction) : 0, kStepsAtOnce)
          << point << " " << ::testing::PrintToString(loop);
    }
}

TEST(CudaBarrier, FollowsOnBarrierWithNothingBetweenOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const auto loop = loop_on_sm90(source_of("barrier", "threads_per_block=256"));
  if (loop.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
  unsigned barriers = 0, others = 0;
  for (const auto& [instruction, count] : loop)
    (instruction.starts_with("BAR.SYNC") ? barriers : others) += count;
  EXPECT_GE(barriers, kBarriersOfRound) << ::testing::PrintToString(loop);
  EXPECT_LT(others, 16u) << ::testing::PrintToString(loop);
}

}  // namespace
}  // namespace gpuseq::probes
