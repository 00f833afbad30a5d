#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "probes/cuda/access.cuh"
#include "probes/cuda/probes.hpp"
#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/probes/disassembly.hpp"

// Output of ptxas for atomic additions, for barriers and for loads from other blocks of a cluster.

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

/// How often each instruction is in the kernel's loop; empty where nothing can be disassembled.
std::map<std::string, unsigned> loop_on_sm90(const KernelSource& source) {
  const auto entries = disassembly::disassembled(cuda::compile(source, "sm_90", {}).cubin);
  return entries.empty() ? std::map<std::string, unsigned>{} : disassembly::loop_of(entries.at(source.name));
}

TEST(CudaAtomics, OfOneCounterAndOfManyAreTheSameInstructionsOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  // In shared memory the two differ in whether the old value has a register.
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

TEST(CudaCluster, ReadsOnceARoundAndFollowsWithNothingButLoadsOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  for (const int blocks : {1, 2, 4, 8, 16})
    for (const auto& [operation, load, fewest] :
         {std::tuple("read", "LD.E.128", 2u), std::tuple("follow", "LD.E.64", 8u)}) {
      const KernelSource source =
          source_of("cluster", fmt::format("cluster_blocks={},operation={}", blocks, operation));
      EXPECT_EQ(source.least_architecture, 90);
      const Resources resources = cuda::compile(source, "sm_90", {}).resources;
      EXPECT_EQ(resources.spill_bytes, 0);
      EXPECT_LE(resources.registers_per_thread, 64) << "1024 threads fit";
      const auto entries = disassembly::disassembled(cuda::compile(source, "sm_90", {}).cubin);
      if (entries.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
      unsigned loads = 0;
      for (const auto& instruction : entries.at(source.name)) loads += instruction.text.starts_with(load);
      EXPECT_GE(loads, fewest) << operation << " " << blocks;
    }
}

TEST(CudaCluster, CompilesForEveryArchitectureThatHasClusters) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  for (const char* architecture : {"sm_90", "sm_100", "sm_120"})
    for (const char* operation : {"read", "follow"}) {
      const KernelSource source =
          source_of("cluster", std::string("cluster_blocks=8,threads_per_block=256,operation=") + operation);
      EXPECT_EQ(cuda::compile(source, architecture, {}).resources.spill_bytes, 0) << architecture;
    }
}

TEST(CudaCluster, ReadsTheMemoryOfTheNextBlockAtEverySize) {
  const auto count = cuda::device_count();
  if (!count.value || *count.value == 0) GTEST_SKIP() << "no CUDA device: " << count.reason;
  const auto device = open_device("cuda:0");
  for (const auto& probe : make_probes()) {
    if (probe->name() != "cluster") continue;
    const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
    const Variant& variant = probe->variant("cuda");
    for (const Point& point : variant.space.all_points()) {
      std::unique_ptr<Session> session;
      try {
        session = prepare_as<Session>(*problem, variant, point, *device);
      } catch (const ResourceError& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
        continue;  // an older device, or one with no room for so many blocks
      }
      for (int time = 0; time < 2; ++time) {
        const Verification found = session->verify();
        EXPECT_TRUE(found.passed) << point.to_string() << ": " << found.reason;
        EXPECT_GT(found.checked, 0u);
        session->launch();
        device->synchronize();
      }
      if (point.word("operation") == "follow") {
        EXPECT_GT(session->facts()["latency_clocks"].get<double>(), 10);
      }
    }
  }
}

}  // namespace
}  // namespace gpuseq::probes
