#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "probes/cuda/probes.hpp"
#include "probes/instruction_operations.hpp"
#include "probes/probes.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"
#include "tests/probes/disassembly.hpp"
#include "tests/runtime/temporary_folder.hpp"

// The kernels of the probe instruction_throughput, and ptxas's output for them. Needs no GPU.

namespace gpuseq::probes {
namespace {

const Variant& variant() {
  static const auto probes = make_probes();
  for (const auto& probe : probes)
    if (probe->name() == "instruction_throughput") return probe->variant("cuda");
  throw std::runtime_error("no such probe");
}

KernelSource source_of(const std::string& operation) {
  return cuda_instruction_throughput_sources(variant().space.complete({{"operation", operation}})).front();
}

/// All operations as entries of one program, which compiles sooner than as many programs.
KernelSource all_in_one() {
  KernelSource all = source_of("add_s32");
  for (const std::string& name : operation_names(DeviceKind::cuda))
    if (name != "add_s32") all.text += source_of(name).text;
  return all;
}

class CudaInstructions : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const auto version = cuda::nvrtc_version(); !version.value)
      GTEST_SKIP() << "no NVRTC: " << version.reason;
  }
};
INSTANTIATE_TEST_SUITE_P(Architectures, CudaInstructions,
                         testing::Values("sm_75", "sm_80", "sm_90a", "sm_100", "sm_120"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(CudaInstructions, CompileWithoutSpills) {
  const cuda::Compiled compiled = cuda::compile(all_in_one(), GetParam(), {});
  for (const std::string& name : operation_names(DeviceKind::cuda)) {
    const Resources resources = cuda::kernel_resources(compiled.cubin, compiled.log, source_of(name).name);
    EXPECT_EQ(resources.spill_bytes, 0) << name;
    EXPECT_EQ(resources.local_bytes, 0) << name;
    const CudaOperation& operation = *CudaLoop(name).first;
    const int architecture = std::stoi(std::string(GetParam()).substr(3));
    const bool made = operation.least_architecture <= architecture &&
                      (operation.own_architecture.empty() || operation.own_architecture == GetParam());
    EXPECT_GE(resources.registers_per_thread, made ? 9 : 1) << name;
  }
}

void expect_its_instructions(const CudaLoop& loop, const std::map<std::string, u32>& counts) {
  u32 all = 0, others = 0;  // instructions
  std::map<const CudaOperation*, u32> found;
  for (const auto& [mnemonic, count] : counts) {
    const CudaOperation* of = nullptr;
    for (const CudaOperation* operation : {loop.first, loop.second})
      for (const std::string& allowed : operation->on_sm90)
        if (mnemonic == allowed || mnemonic == allowed + ".MMA") of = operation;
    (of ? found[of] : others) += count;
    all += count;
  }
  const u32 executed = loop.chains * loop.steps, each = executed / (loop.first == loop.second ? 1 : 2);
  for (const CudaOperation* operation : {loop.first, loop.second})
    EXPECT_NEAR(found[operation], each * operation->instructions, 2 * operation->instructions)
        << operation->operation.name << ": " << testing::PrintToString(counts);
  // Four warps' product keeps their tensor cores for 128 clocks, in which the others are long executed.
  const double most = loop.first->of == CudaOperation::Of::four_warps ? 0.15 : 0.05;
  EXPECT_LT(others, most * all) << testing::PrintToString(counts);
}

TEST(CudaInstructions, TheLoopOfEveryOperationHoldsItsInstructionsAndFewOthersOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const auto entries = disassembly::disassembled(cuda::compile(all_in_one(), "sm_90a", {}).cubin);
  if (entries.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90a";
  for (const std::string& name : operation_names(DeviceKind::cuda)) {
    SCOPED_TRACE(name);
    expect_its_instructions(CudaLoop(name), disassembly::loop_of(entries.at(source_of(name).name)));
  }
}

TEST(CudaOperations, TakeOneInstructionOnSm90UnlessTheirPipeIsSeveral) {
  for (const CudaOperation& operation : cuda_operations()) {
    EXPECT_FALSE(operation.on_sm90.empty()) << operation.operation.name;
    EXPECT_EQ(operation.instructions > 1, operation.operation.pipe == "several") << operation.operation.name;
  }
}

TEST(CudaSources, OfAnArchitecturesOwnInstructionsSayWhichItIs) {
  EXPECT_EQ(source_of("wgmma_b1").own_architecture, "sm_90a");
  EXPECT_EQ(source_of("mma_b1").least_architecture, 80);
  EXPECT_EQ(source_of("mma_b1").own_architecture, "");
  EXPECT_EQ(source_of("lop3").least_architecture, 75);
}

TEST(CudaSources, OfAnArchitecturesOwnInstructionsHaveThemThereAndTrapElsewhere) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const auto registers = [](const char* architecture) {
    return cuda::compile(source_of("wgmma_b1"), architecture, {}).resources.registers_per_thread;
  };
  EXPECT_GT(registers("sm_90"), 128);  // a thread's sums
  EXPECT_LT(registers("sm_100"), 64);
}

}  // namespace
}  // namespace gpuseq::probes
