#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "probes/cpu/probes.hpp"
#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/numa.hpp"

namespace gpuseq::probes {
namespace {

class NumaLatency : public testing::Test {
 protected:
  static std::unique_ptr<Family> find(const std::string& name) {
    for (auto& probe : make_probes())
      if (probe->name() == name) return std::move(probe);
    throw UsageError("no probe " + name);
  }
  Point point(const std::string& text) const {
    return family_->variant("cpu").space.complete(
        Point::parse("footprint_bytes=65536,load_bytes=131072," + text));
  }

  const std::unique_ptr<Family> family_ = find("numa_latency");
  const std::unique_ptr<Device> device_ = open_device("cpu");
  ProbeProblem problem_{"numa_latency", 5, {}};
};

/// A machine of two nodes, each of which has one of this machine's processors, which have one.
TEST_F(NumaLatency, FollowsTheCycleOnTheProcessorsOfItsNodeAndStreamsWhatItSays) {
  const Topology two = synthetic_topology("numa:2 core:1 pu:1");
  const Topology here = read_topology();
  const std::vector<int> cpus = here.cpus_by_core();
  if (std::ranges::find(cpus, 0) == cpus.end() || std::ranges::find(cpus, 1) == cpus.end())
    GTEST_SKIP() << "needs processors 0 and 1";
  for (const char* node : {"node=0", "node=1"})
    for (const char* load : {"threads=1", "threads=0", "threads=3,operation=write"}) {
      const Point at = point(std::string(node) + ",memory_node=0," + load);
      std::unique_ptr<Session> session;
      try {
        session = prepare_numa_latency_on(two, problem_, at, *device_);
      } catch (const ResourceError& error) {
        GTEST_SKIP() << error.what();  // containers forbid to bind memory
      }
      EXPECT_EQ(session->facts()["threads"], at.integer("threads") == 3 ? 3 : 1);  // a node has one processor
      for (int time = 0; time < 2; ++time) {
        const Verification found = session->verify();
        EXPECT_TRUE(found.passed) << at.to_string() << ": " << found.reason;
        session->launch();
      }
      EXPECT_GT(session->facts()["latency_ns"].get<double>(), 0);
    }
}

TEST_F(NumaLatency, SaysWhyThereIsNoneOnAMachineOfOneNodeAndOfNodesThatAreNotThere) {
  const auto reason = [&](const Topology& topology, const std::string& text) -> std::string {
    try {
      prepare_numa_latency_on(topology, problem_, point(text), *device_);
    } catch (const ResourceError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(reason(synthetic_topology("core:2 pu:1"), "node=0,memory_node=0"),
            "this machine has one NUMA node that this process may use");
  for (const char* nodes : {"node=2,memory_node=0", "node=0,memory_node=2"})
    EXPECT_EQ(reason(synthetic_topology("numa:2 core:1 pu:1"), nodes),
              "NUMA node 2 has no processor that this process may use; nodes that have: 0, 1");
}

TEST(ExplicitHugePages, AreUsedOrRefusedWithAReason) {
  constexpr std::size_t kBytes = 3 << 20;
  try {
    HugeBuffer memory(kBytes, Pages::set_aside);
    ASSERT_NE(memory.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % (2 << 20), 0u);
    memory.data()[kBytes - 1] = std::byte{1};
    EXPECT_EQ(memory.data()[0], std::byte{0});
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("explicit huge pages"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("nr_hugepages"), std::string::npos) << error.what();
  }
  // More than any machine has.
  EXPECT_THROW(HugeBuffer(std::size_t{1} << 46, Pages::set_aside), ResourceError);
}

TEST(ExplicitHugePages, AreAskedForByPointsOfTheCpuProbes) {
  for (const auto& probe : make_probes()) {
    if (probe->name() != "latency") continue;
    const auto device = open_device("cpu");
    const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
    const Point point = Point::parse("footprint_bytes=262144,pages=explicit");
    try {
      EXPECT_TRUE(prepare_as<Session>(*problem, probe->variant("cpu"), point, *device)->verify().passed);
    } catch (const ResourceError& error) {
      EXPECT_NE(std::string(error.what()).find("explicit huge pages"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace gpuseq::probes
