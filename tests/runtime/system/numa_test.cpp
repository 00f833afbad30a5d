#include "runtime/system/numa.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <set>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/system/huge_buffer.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq {
namespace {

TEST(NumaNodes, OfASyntheticMachineAreThoseOfItsDescription) {
  for (const auto& [description, nodes] :
       {std::pair("numa:2 core:4 pu:2", 2), std::pair("package:2 numa:2 core:3 pu:1", 4),
        std::pair("core:4 pu:1", 1)}) {
    const Topology topology = synthetic_topology(description);
    EXPECT_EQ(topology.numa_nodes, nodes) << description;
    EXPECT_EQ(numa_nodes(topology).size(), static_cast<std::size_t>(nodes)) << description;
  }
  EXPECT_EQ(synthetic_topology("package:2 numa:2 core:3 pu:1").packages, 2);
}

TEST(NumaNodes, HaveProcessorsOfTheirOwnOneOfEachCoreFirst) {
  const Topology topology = synthetic_topology("numa:2 core:3 pu:2");
  // hwloc numbers the processors of a machine that it makes up in their order.
  EXPECT_EQ(cpus_of_node(topology, 0), (std::vector{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(cpus_of_node(topology, 1), (std::vector{6, 8, 10, 7, 9, 11}));
  std::set<int> all;
  for (const int node : numa_nodes(topology))
    for (const int cpu : cpus_of_node(topology, node)) EXPECT_TRUE(all.insert(cpu).second) << cpu;
  EXPECT_EQ(all.size(), 12u);
}

TEST(NumaNodes, ThatAreNotThereAreRefusedWithThoseThatAre) {
  const auto reason = [](const char* description, int node) -> std::string {
    try {
      cpus_of_node(synthetic_topology(description), node);
    } catch (const ResourceError& error) {
      return error.what();
    }
    return "";
  };
  expect_text(reason("core:4 pu:1", 0));
  expect_text(reason("numa:3 core:1 pu:1", 3));
  EXPECT_THROW(synthetic_topology("nonsense:x"), ResourceError);
}

TEST(NumaMemory, CanBeHadOfThisMachinesNodesAndNotOfOthers) {
  const int node = numa_nodes(read_topology()).front();
  HugeBuffer memory(1 << 20);
  try {
    bind_memory({memory.data(), memory.size()}, node);
  } catch (const ResourceError& error) {
    GTEST_SKIP() << error.what();  // containers forbid it
  }
  memory.data()[memory.size() - 1] = std::byte{1};
  HugeBuffer other(1 << 20);
  EXPECT_THROW(bind_memory({other.data(), other.size()}, 900), ResourceError);
}

TEST(StayOn, KeepsAThreadOnOneProcessorAndLetsItGo) {
  const auto allowed = [] {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return CPU_COUNT(&set);
  };
  const int before = allowed();
  for (const int cpu : read_topology().cpus_by_core()) {
    const StayOn here(cpu);
    EXPECT_EQ(allowed(), 1);
    EXPECT_EQ(sched_getcpu(), cpu);
  }
  EXPECT_EQ(allowed(), before);
  EXPECT_THROW(StayOn(16000), ResourceError);
}

}  // namespace
}  // namespace gpuseq
