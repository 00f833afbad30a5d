#include <gtest/gtest.h>

#include <iostream>
#include <set>
#include <string>

#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/probes/disassembly.hpp"

namespace gpuseq::probes {
namespace {

std::unique_ptr<Family> l2_sides() {
  for (auto& probe : make_probes())
    if (probe->name() == "l2_sides") return std::move(probe);
  throw UsageError("no probe l2_sides");
}

KernelSource source_of(const Family& probe, const std::string& operation) {
  const Variant& variant = probe.variant("cuda");
  return variant.sources(variant.space.complete(Point::parse("operation=" + operation)), {}).front();
}

TEST(L2SidesSpace, HasLinesThatFitIntoItsMemory) {
  const auto probe = l2_sides();
  const SearchSpace& space = probe->variant("cuda").space;
  EXPECT_NO_THROW(space.complete(Point::parse("lines=512,memory_bytes=65536")));
  for (const char* bad : {"lines=1024,memory_bytes=65536", "lines=3", "operation=store", "memory_bytes=4096"})
    EXPECT_THROW(space.complete(Point::parse(bad)), UsageError) << bad;
}

TEST(CudaL2Sides, CompilesWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const auto probe = l2_sides();
  for (const char* architecture : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"})
    for (const char* operation : {"load", "atomic"}) {
      const Resources resources = cuda::compile(source_of(*probe, operation), architecture, {}).resources;
      EXPECT_EQ(resources.spill_bytes + resources.local_bytes, 0) << architecture << " " << operation;
    }
}

/// Between the two readings of the clock around a round.
TEST(CudaL2Sides, TimesAccessesOfTheL2AloneOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const auto probe = l2_sides();
  for (const auto& [operation, instruction] :
       {std::pair("load", "LDG.E.64.STRONG.GPU"), std::pair("atomic", "ATOMG.E.ADD.64.STRONG.GPU")}) {
    const KernelSource source = source_of(*probe, operation);
    const auto entries = disassembly::disassembled(cuda::compile(source, "sm_90", {}).cubin);
    if (entries.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
    // Readings: of the whole look, of a round's begin and end, and of the whole look again.
    int readings = 0;
    unsigned accesses = 0, others = 0;
    for (const disassembly::Instruction& one : entries.at(source.name)) {
      readings += one.text.find("SR_CLOCKLO") != std::string::npos;
      if (readings != 2) continue;
      const bool memory =
          one.text.find("LDG") != std::string::npos || one.text.find("ATOM") != std::string::npos ||
          one.text.find("STG") != std::string::npos || one.text.find("RED") != std::string::npos;
      if (!memory) continue;
      (one.text.find(instruction) != std::string::npos ? accesses : others) += 1;
    }
    EXPECT_EQ(readings, 4) << operation;
    EXPECT_GE(accesses, 8u) << operation;
    EXPECT_EQ(others, 0u) << operation;
  }
}

TEST(CudaL2Sides, SeeEveryMultiprocessorAndEndWhereTheyBegan) {
  const auto count = cuda::device_count();
  if (!count.value || *count.value == 0) GTEST_SKIP() << "no CUDA device: " << count.reason;
  const auto device = open_device("cuda:0");
  const auto probe = l2_sides();
  const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  for (const char* text :
       {"operation=load", "operation=atomic", "operation=atomic,lines=16,memory_bytes=65536"}) {
    const auto session = prepare_as<Session>(*problem, probe->variant("cuda"), Point::parse(text), *device);
    for (int time = 0; time < 2; ++time) {
      const Verification found = session->verify();
      EXPECT_TRUE(found.passed) << text << ": " << found.reason;
      session->launch();
      device->synchronize();
    }
    const nlohmann::json facts = session->facts();
    EXPECT_EQ(facts["multiprocessors"], cuda::cuda_device(*device).multiprocessors()) << text;
    EXPECT_GT(facts["quantiles_clocks"].front(), 50) << facts.dump();
    EXPECT_LT(facts["quantiles_clocks"][3], 2000) << facts.dump();
    if (!facts.contains("near_clocks")) {
      EXPECT_FALSE(facts["reason"].get<std::string>().empty());
      continue;
    }
    EXPECT_LT(facts["near_clocks"], facts["far_clocks"]);
    std::set<int> members;
    for (const auto& group : facts["groups"])
      for (const int number : group) EXPECT_TRUE(members.insert(number).second) << number;
    EXPECT_EQ(members.size(), facts["multiprocessors"].get<std::size_t>());
    std::cout << text << ": " << facts.dump() << "\n";
  }
}

}  // namespace
}  // namespace gpuseq::probes
