#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <regex>

#include "probes/cuda/probes.hpp"
#include "probes/instruction_operations.hpp"
#include "probes/probes.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"
#include "tests/runtime/temporary_folder.hpp"

// The kernels of the probe instruction_throughput, and what ptxas makes of them. Needs no GPU.

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
                         testing::Values("sm_75", "sm_80", "sm_90", "sm_100", "sm_120"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(CudaInstructions, CompileWithoutSpills) {
  const cuda::Compiled compiled = cuda::compile(all_in_one(), GetParam(), {});
  for (const std::string& name : operation_names(DeviceKind::cuda)) {
    const Resources resources = cuda::kernel_resources(compiled.cubin, compiled.log, source_of(name).name);
    EXPECT_EQ(resources.spill_bytes, 0) << name;
    EXPECT_EQ(resources.local_bytes, 0) << name;
    const bool made = CudaLoop(name).first->least_capability <= std::stoi(std::string(GetParam()).substr(3));
    EXPECT_GE(resources.registers_per_thread, made ? 9 : 1) << name;
  }
}

/// What a command prints; empty if it fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  std::string text;
  char part[4096];
  for (std::size_t read; pipe && (read = std::fread(part, 1, sizeof part, pipe)) > 0;)
    text.append(part, read);
  return pipe && ::pclose(pipe) == 0 ? text : "";
}

struct Instruction {
  unsigned long address = 0;
  std::string text;  // "VIADDMNMX.S16x2 R5, R5, R9, R12, PT"
};

/// The machine code of every entry, as cuobjdump prints it.
std::map<std::string, std::vector<Instruction>> entries_of(const std::string& disassembly) {
  static const std::regex entry("Function : (\\S+)"),
      line("/\\*([0-9a-f]{4,5})\\*/\\s+(?:@!?U?P\\w+ )?(.*?) *;");
  std::map<std::string, std::vector<Instruction>> entries;
  std::string name;
  std::istringstream lines(disassembly);
  for (std::string text; std::getline(lines, text);) {
    std::smatch match;
    if (std::regex_search(text, match, entry))
      name = match[1];
    else if (std::regex_search(text, match, line))
      entries[name].push_back({std::stoul(match[1], nullptr, 16), match[2]});
  }
  return entries;
}

/// Mnemonics of the longest loop: between the target of a branch backwards and that branch.
std::map<std::string, u32> loop_of(const std::vector<Instruction>& entry) {
  static const std::regex branch("^BRA\\S*.* 0x([0-9a-f]+)");
  unsigned long begin = 0, end = 0;
  for (const Instruction& last : entry) {
    std::smatch match;
    if (!std::regex_search(last.text, match, branch)) continue;
    const unsigned long target = std::stoul(match[1], nullptr, 16);
    if (target < last.address && last.address - target > end - begin) {
      begin = target;
      end = last.address;
    }
  }
  std::map<std::string, u32> counts;
  for (const Instruction& one : entry)
    if (one.address >= begin && one.address <= end) ++counts[one.text.substr(0, one.text.find(' '))];
  return counts;
}

TEST(CudaInstructions, TheLoopOfAnOperationHoldsItsInstructionAndNoOtherOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const TemporaryFolder folder;
  const std::string file = folder.path() / "operations.cubin";
  std::ofstream(file, std::ios::binary) << cuda::compile(all_in_one(), "sm_90", {}).cubin;
  const auto entries = entries_of(output_of(fmt::format("cuobjdump -sass '{}'", file)));
  if (entries.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
  for (const std::string& name : operation_names(DeviceKind::cuda)) {
    const CudaLoop loop(name);
    if (!loop.single_instructions()) continue;
    std::map<std::string, u32> counts = loop_of(entries.at(source_of(name).name));
    u32 others = 0;
    std::map<const CudaOperation*, u32> found;
    for (const auto& [mnemonic, count] : counts) {
      const CudaOperation* of = nullptr;
      for (const CudaOperation* operation : {loop.first, loop.second})
        for (const std::string& allowed : operation->on_sm90)
          if (mnemonic == allowed || mnemonic == allowed + ".MMA") of = operation;
      (of ? found[of] : others) += count;
    }
    constexpr u32 kCountAndBranch = 4;
    const u32 operations = loop.chains * loop.steps, each = operations / (loop.first == loop.second ? 1 : 2);
    for (const auto& [operation, count] : found)
      EXPECT_NEAR(count, each, 2) << operation->operation.name << " of " << name;
    EXPECT_EQ(found.size(), loop.first == loop.second ? 1u : 2u) << name;
    EXPECT_LE(others, kCountAndBranch) << name << ": " << testing::PrintToString(counts);
  }
}

}  // namespace
}  // namespace gpuseq::probes
