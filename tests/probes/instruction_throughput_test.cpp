#include <gmock/gmock.h>
#include <hwy/targets.h>

#include <set>
#include <string>
#include <vector>

#include "probes/cpu/instruction_kernels.hpp"
#include "probes/instruction_operations.hpp"
#include "probes/probes.hpp"
#include "probes/spaces.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

using ::testing::Contains;

const Family& probe() {
  static const auto all = make_probes();
  for (const auto& one : all)
    if (one->name() == "instruction_throughput") return *one;
  throw UsageError("no such probe");
}

/// nullptr where the processor lacks the instruction set.
std::unique_ptr<Session> session(Problem& problem, const Point& point, Device& device) {
  try {
    return prepare_as<Session>(problem, probe().variant("cpu"), point, device);
  } catch (const ResourceError&) {
    return nullptr;
  }
}

TEST(CpuOperations, AreTheSameWhateverInstructionSetsTheProcessorHas) {
  const auto names = [] {
    std::vector<std::string> all;
    for (const Operation& operation : cpu_operations()) all.push_back(operation.name + " " + operation.pipe);
    return all;
  };
  const std::vector<std::string> with_all = names();
  hwy::SetSupportedTargetsForTest(HWY_SSE4);
  const std::vector<std::string> with_least = names();
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_EQ(with_least, with_all);
  EXPECT_THAT(with_all, Contains("popcount_u64 vector alu"));
}

class CpuInstructions : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, CpuInstructions, testing::Values("sse4", "avx2", "avx512"),
                         [](const auto& name) { return name.param; });

TEST_P(CpuInstructions, EndWithTheLanesThatEachOperationGivesOnAnyNumberOfThreads) {
  const auto device = open_device("cpu");
  const auto problem = probe().load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  if (!session(*problem, {{"target", GetParam()}}, *device))
    GTEST_SKIP() << "this processor has no " << GetParam();
  for (const std::string& operation : operation_names(DeviceKind::cpu))
    for (const std::int64_t threads : {1, 3}) {
      const Point point{{"operation", operation}, {"target", GetParam()}, {"threads", threads}};
      const auto found = session(*problem, point, *device);
      if (!found) {
        EXPECT_EQ(operation, "popcount_u64");  // of AVX-512 only, and not of every one
        continue;
      }
      const Verification verification = found->verify();
      EXPECT_TRUE(verification.passed) << point.to_string() << ": " << verification.reason;
      EXPECT_GT(verification.checked, 0u);
      EXPECT_EQ(found->cost().work.unit, "operations");
    }
}

TEST_P(CpuInstructions, WorkIsThreadsTimesRoundsAndALaunchChangesNoAnswer) {
  const auto device = open_device("cpu");
  const auto problem = probe().load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  const auto one = session(*problem, {{"target", GetParam()}, {"threads", 1}}, *device);
  const auto two = session(*problem, {{"target", GetParam()}, {"threads", 2}}, *device);
  if (!one) GTEST_SKIP() << "this processor has no " << GetParam();
  EXPECT_DOUBLE_EQ(two->cost().work.amount, 2 * one->cost().work.amount);
  one->launch();
  EXPECT_TRUE(one->verify().passed);
}

TEST(CpuInstructions, OnesAreCountedByAvx512Only) {
  EXPECT_NE(find_operation(DeviceKind::cpu, "popcount_u64"), nullptr);
  EXPECT_THROW(cpu_loop("sse4", "popcount_u64"), ResourceError);
  EXPECT_THROW(cpu_loop("sse4", "popcount_u3"), UsageError);
}

TEST(CpuInstructions, AnInstructionSetThatTheProcessorLacksIsNoUsageError) {
  EXPECT_THROW(cpu_loop("avx4096", "add_s16"), ResourceError);
}

TEST(Operations, HaveAPipeUnlessTheyArePairsOfSuchThatHave) {
  for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda}) {
    std::set<std::string> seen;
    for (const std::string& name : operation_names(kind)) {
      EXPECT_TRUE(seen.insert(name).second) << name << " stands twice";
      const auto [first, second] = operations_of(name);
      ASSERT_NE(find_operation(kind, first), nullptr) << name;
      ASSERT_NE(find_operation(kind, second), nullptr) << name;
      EXPECT_FALSE(find_operation(kind, first)->pipe.empty()) << name;
      EXPECT_EQ(find_operation(kind, name) == nullptr, first != second) << name;
    }
  }
  EXPECT_THAT(operation_names(DeviceKind::cuda), Contains("viaddmin_s16x2"));
  EXPECT_THAT(operation_names(DeviceKind::cuda), Contains("prmt+viaddmin_s16x2"));
  EXPECT_EQ(find_operation(DeviceKind::cuda, "load"), nullptr);
  EXPECT_EQ(pipes_of(DeviceKind::cuda, "imad"), "fma");
  EXPECT_EQ(pipes_of(DeviceKind::cuda, "lop3+prmt"), "alu");
  EXPECT_EQ(pipes_of(DeviceKind::cuda, "imad+viaddmin_s16x2"), "fma, alu");
}

/// The operation's answer on one set of values.
u32 answer(const char* operation, u32 x, u32 y, u32 z) {
  for (const CudaOperation& row : cuda_operations())
    if (row.operation.name == operation) return row.expected({.x = x, .y = y, .z = z});
  throw UsageError(operation);
}

// Values worked out by hand from the definitions in the CUDA Math API and PTX ISA manuals.
TEST(CudaOperations, ExpectWhatTheirDefinitionsSay) {
  EXPECT_EQ(answer("viaddmin_s16x2", 0x00010005, 0x0001FFFE, 0x00030004), 0x00020003u);
  EXPECT_EQ(answer("viaddmin_s16x2_relu", 0x00010001, 0xFFF00001, 0x00030004), 0x00000002u);
  EXPECT_EQ(answer("vimin3_s16x2", 0x0001FFFF, 0x00020001, 0x00030004), 0x0001FFFFu);
  EXPECT_EQ(answer("add_s16x2", 0x0001FFFF, 0x00010001, 0), 0x00020000u);
  EXPECT_EQ(answer("add_sat_s16x2", 0x7FFF8000, 0x00018001, 0), 0x7FFF8000u);
  EXPECT_EQ(answer("add_sat_u16x2", 0xFFFF0001, 0x00010001, 0), 0xFFFF0002u);
  EXPECT_EQ(answer("add_sat_u8x4", 0xFF010203, 0x01010101, 0), 0xFF020304u);
  EXPECT_EQ(answer("max_u8x4", 0xFF010203, 0x01020103, 0), 0xFF020203u);
  EXPECT_EQ(answer("sad_u8x4", 0xFF010203, 0x01020103, 0), 254u + 1 + 1);
  EXPECT_EQ(answer("prmt", 0x33221100, 0x77665544, 0x7041), 0x77004411u);
  EXPECT_EQ(answer("dp4a", 0xFF020304, 0x02010101, 10), 10u - 2 + 2 + 3 + 4);
  EXPECT_EQ(answer("lop3", 0xFF00FF00, 0xF0F0F0F0, 0xCCCCCCCC), 0xFCC0FCC0u);
  EXPECT_EQ(answer("shf", 0x80000001, 0x00000002, 33), 0x00000005u);
  EXPECT_EQ(answer("popc", 0xF0F0, 0, 0), 8u);
  EXPECT_EQ(answer("add_f16x2", 0x3C004000, 0, 0x3C003C00), 0x40004200u);  // 1, 2 -> 2, 3
  EXPECT_EQ(answer("fma_f32", 0x3F800000, 0, 0x3F800000), 0x40000000u);    // 1 -> 2
}

TEST(CudaLoops, ProductsAddTheirLengthToEveryRegisterOfAChain) {
  for (const auto& [name, registers, length] : {std::tuple("mma_b1", 16u, 256u),
                                                {"mma_s8", 16u, 32u},
                                                {"wgmma_b1", 128u, 256u},
                                                {"wgmma_s8", 128u, 32u}}) {
    const CudaLoop loop(name);
    EXPECT_EQ(loop.chains * loop.first->words, registers) << name;
    const u32 grown = 2 * loop.steps * length;
    u32 weights = 0, at_once = 1;  // results weigh registers by powers of 33
    for (u32 i = 0; i < registers; ++i, at_once *= 33) weights += at_once;
    const std::vector<u32> before = loop.expected_results(0), after = loop.expected_results(2);
    for (std::size_t lane = 0; lane < before.size(); ++lane)
      EXPECT_EQ(after[lane], before[lane] + grown * weights) << name;
  }
}

TEST(CudaLoops, FourWarpsTakeBlocksOfWholeGroups) {
  const SearchSpace space = instruction_throughput_space(DeviceKind::cuda);
  const auto accepts = [&](const char* operation, std::int64_t threads) {
    try {
      space.complete(
          {{"operation", operation}, {"threads_per_block", threads}, {"blocks_per_sm", std::int64_t{1}}});
      return true;
    } catch (const UsageError&) {
      return false;
    }
  };
  EXPECT_TRUE(accepts("wgmma_b1", 128));
  EXPECT_TRUE(accepts("wgmma_s8", 256));
  EXPECT_FALSE(accepts("wgmma_b1", 64));
  EXPECT_FALSE(accepts("wgmma_b1", 512));  // 128 sums of each thread leave no registers
  EXPECT_TRUE(accepts("mma_b1", 64));
}

TEST(CudaLoops, ShuffleExchangesNeighboursAndLoadsGoAroundTheTable) {
  const CudaLoop shuffle("shuffle");
  const std::vector<u32> even = shuffle.expected_results(2), odd = CudaLoop("shuffle").expected_results(0);
  EXPECT_EQ(even, odd);  // an even number of exchanges
  EXPECT_EQ(CudaLoop("load_shared_128").chains, 4u);
  EXPECT_EQ(CudaLoop("load_shared_128+min_f16x2").chains, 4u);
  std::set<u32> places;
  for (u32 place = 16, i = 0; i < 8; ++i, place = next_place(place)) places.insert(place);
  EXPECT_EQ(places.size(), 8u);
  EXPECT_LT(*places.rbegin(), kTableBytes);
}

}  // namespace
}  // namespace gpuseq::probes
