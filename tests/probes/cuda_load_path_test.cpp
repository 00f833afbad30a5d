#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/load_path/chain.hpp"
#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/probes/disassembly.hpp"

namespace gpuseq::probes {
namespace {

std::unique_ptr<Family> load_path() {
  for (auto& probe : make_probes())
    if (probe->name() == "load_path") return std::move(probe);
  throw UsageError("no probe load_path");
}

Point point_of(const Family& probe, const std::string& text) {
  return probe.variant("cuda").space.complete(Point::parse(text));
}

/// Follows a chain as loads do, by the content of nodes alone.
std::vector<std::uint64_t> followed(const LoadChain& chain, std::uint64_t base, std::uint64_t unit) {
  std::vector<std::byte> image(chain.nodes * chain.stride_bytes);
  chain.write(image, base, unit);
  std::vector<std::uint64_t> offsets;
  std::uint64_t at = chain.address(0, base, unit);
  for (std::uint64_t i = 0; i < chain.nodes; ++i) {
    offsets.push_back((at - base) * unit);
    std::memcpy(&at, &image.at(offsets.back()), sizeof at);
  }
  EXPECT_EQ(at, chain.address(0, base, unit)) << "it comes back";
  return offsets;
}

TEST(LoadChain, GoesThroughEveryNodeOnceInEveryFormOfAddress) {
  for (const std::uint64_t nodes : {1, 2, 3, 31, 32, 33, 683, 4096})
    for (const std::uint64_t stride : {16, 32, 416})
      for (const bool ascending : {false, true})
        for (const auto& [base, unit] :
             {std::pair<std::uint64_t, std::uint64_t>{0, 1}, {0, 16}, {4096, 16}, {0x7f0012340000, 1}}) {
          const LoadChain chain{nodes, stride, ascending, 5};
          const auto offsets = followed(chain, base, unit);
          EXPECT_EQ(std::set(offsets.begin(), offsets.end()).size(), nodes);
          for (std::uint64_t i = 0; i < nodes; ++i) {
            EXPECT_EQ(offsets[i], chain.offset(i));
            EXPECT_EQ(offsets[i], chain.offset(i + 7 * nodes));
            if (ascending) {
              EXPECT_EQ(offsets[i], i * stride);
            }
          }
        }
}

TEST(LoadChain, InARandomOrderHasAnotherOrderForAnotherSeed) {
  EXPECT_NE(followed({512, 32, false, 1}, 0, 1), followed({512, 32, false, 2}, 0, 1));
  EXPECT_NE(followed({512, 32, false, 1}, 0, 1), followed({512, 32, true, 1}, 0, 1));
}

TEST(LoadChain, IsTimedInWholeRounds) {
  for (std::uint64_t nodes = 1; nodes < 10'000; ++nodes) {
    EXPECT_EQ(timed_loads(nodes) % nodes, 0u);
    EXPECT_GE(timed_loads(nodes), 4096u);
    EXPECT_LT(timed_loads(nodes), 4096u + nodes);
  }
}

TEST(LoadPathSpace, KeepsChainsWithinConstantAndSharedMemory) {
  const auto probe = load_path();
  for (const char* good : {"path=constant,footprint_bytes=65536", "path=shared,footprint_bytes=32768",
                           "path=constant,evicted_by=global,footprint_bytes=32768",
                           "path=global,evicted_by=texture,footprint_bytes=1048576", "stride_bytes=416"})
    EXPECT_NO_THROW(point_of(*probe, good)) << good;
  for (const char* bad :
       {"path=constant,footprint_bytes=131072", "path=shared,footprint_bytes=65536",
        "path=global,evicted_by=constant,footprint_bytes=65536", "path=shared,evicted_by=global",
        "footprint_bytes=64,stride_bytes=128", "stride_bytes=24", "path=l1", "order=descending"})
    EXPECT_THROW(point_of(*probe, bad), UsageError) << bad;
}

/// Each path, by itself and evicted by each other one.
std::vector<KernelSource> every_source() {
  const auto probe = load_path();
  const Variant& variant = probe->variant("cuda");
  std::vector<KernelSource> sources;
  std::map<std::string, std::vector<AxisValue>> axes{{"footprint_bytes", {std::int64_t{16416}}}};
  for (const char* name : {"path", "evicted_by"}) axes[name] = variant.space.find(name)->values;
  for (const Point& point : variant.space.points(axes)) sources.push_back(variant.sources(point, {}).front());
  return sources;
}

/// The instructions of a kernel between its two readings of the clock.
std::vector<disassembly::Instruction> timed(const std::vector<disassembly::Instruction>& entry) {
  std::vector<disassembly::Instruction> part;
  int readings = 0;
  for (const disassembly::Instruction& one : entry) {
    if (one.text.find("SR_CLOCKLO") != std::string::npos) ++readings;
    if (readings == 1) part.push_back(one);
  }
  EXPECT_EQ(readings, 2);
  return part;
}

class CudaLoadPathCompiles : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Architectures, CudaLoadPathCompiles,
                         testing::Values("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(CudaLoadPathCompiles, ByEveryPathWithoutSpills) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const auto sources = every_source();
  EXPECT_EQ(sources.size(), 5u * 5 + 1);
  std::set<std::string> done;
  for (const KernelSource& source : sources) {
    if (!done.insert(source.text).second) continue;
    const Resources resources = cuda::compile(source, GetParam(), {}).resources;
    EXPECT_EQ(resources.spill_bytes + resources.local_bytes, 0) << source.name;
  }
}

TEST(CudaLoadPath, HasNothingButItsLoadsAndTheirCountInItsLoopOnSm90) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const std::map<std::string, std::string> expected{
      {"global", "LDG.E.64"}, {"l2", "LDG.E.64.STRONG.GPU"}, {"read_only", "LDG.E.64.CONSTANT"},
      {"texture", "TLD"},     {"constant", "LDC"},           {"shared", "LDS"}};
  const auto probe = load_path();
  for (const auto& [path, instruction] : expected) {
    const KernelSource source = probe->variant("cuda").sources(point_of(*probe, "path=" + path), {}).front();
    const auto entries = disassembly::disassembled(cuda::compile(source, "sm_90", {}).cubin);
    if (entries.empty()) GTEST_SKIP() << "no cuobjdump that can read a cubin of sm_90";
    const auto loop = disassembly::loop_of(timed(entries.at(source.name)));
    unsigned loads = 0, others = 0;
    for (const auto& [name, count] : loop) (name.starts_with(instruction) ? loads : others) += count;
    EXPECT_GE(loads, 8u) << path << " " << ::testing::PrintToString(loop);
    // The count of the loop is kept while a load is waited for.
    EXPECT_LT(others, 8u) << path << " " << ::testing::PrintToString(loop);
  }
}

TEST(CudaLoadPath, EndsWhereItsChainSaysByEveryPathAlsoAfterALaunch) {
  const auto count = cuda::device_count();
  if (!count.value || *count.value == 0) GTEST_SKIP() << "no CUDA device: " << count.reason;
  const auto device = open_device("cuda:0");
  const auto probe = load_path();
  const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  const Variant& variant = probe->variant("cuda");
  std::map<std::string, std::vector<AxisValue>> axes{
      {"footprint_bytes", {std::int64_t{512}, std::int64_t{32768}, std::int64_t{3} << 20}},
      {"stride_bytes", {std::int64_t{16}, std::int64_t{416}}}};
  for (const char* name : {"path", "evicted_by", "order"}) axes[name] = variant.space.find(name)->values;
  for (const Point& point : variant.space.points(axes)) {
    const auto session = prepare_as<Session>(*problem, variant, point, *device);
    for (int time = 0; time < 2; ++time) {
      const Verification found = session->verify();
      EXPECT_TRUE(found.passed) << point.to_string() << ": " << found.reason;
      session->launch();
      device->synchronize();
    }
    const nlohmann::json facts = session->facts();
    EXPECT_GT(facts["latency_clocks"].get<double>(), 4) << point.to_string();
    EXPECT_LT(facts["latency_clocks"].get<double>(), 5000) << point.to_string();
  }
}

}  // namespace
}  // namespace gpuseq::probes
