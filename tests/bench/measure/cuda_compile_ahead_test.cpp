#include <gmock/gmock.h>

#include <atomic>

#include "bench/measure/compile_ahead.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::ElementsAre;

/// A kernel that adds `n`, which has to be a number to compile.
KernelSource adding(const std::string& n) {
  return {.name = "add",
          .text = "extern \"C\" __global__ void add(int* x) { *x += " + n + "; }\n",
          .headers = {},
          .options = {}};
}

/// A variant whose points a and b share a source.
class CompileAheadTest : public ::testing::Test {
 protected:
  CompileAheadTest() {
    variant_.name = "adder";
    variant_.device = DeviceKind::cuda;
    variant_.sources = [this](const Point& point, const Point&) {
      ++asked_;
      const std::string n = point.word("n");
      return std::vector<KernelSource>{adding(n == "a" || n == "b" ? "1" : n)};
    };
    for (const char* n : {"a", "b", "2", "missing", "3"}) {
      State state;
      state.key = {"toys", "adder", {}, Point{{"n", std::string(n)}}, "cuda:0"};
      state.kind = "probe";
      state.variant = &variant_;
      states_.push_back(state);
    }
  }
  bool is_cached(const std::string& n) const {
    return cuda::compile(adding(n), "sm_90", folder_.path()).resources.from_cache;
  }

  Variant variant_;
  std::vector<State> states_;
  std::atomic<int> asked_ = 0;
  TemporaryFolder folder_;
};

TEST_F(CompileAheadTest, ASourceThatPointsShareIsOneCompilationAnArchitecture) {
  const std::vector<std::string> architectures{"sm_80", "sm_90"};
  std::vector<std::string> found;
  for (const Compilation& one : compilations(std::span(states_).first(3), architectures))
    found.push_back(one.where + " " + one.architecture);
  EXPECT_THAT(found, ElementsAre("toys/adder/n=a sm_80", "toys/adder/n=a sm_90", "toys/adder/n=2 sm_80",
                                 "toys/adder/n=2 sm_90"));
}

TEST_F(CompileAheadTest, StatesFindTheirKernelsInTheCacheAndOneThatDoesNotCompileHindersNoOther) {
  if (const auto nvrtc = cuda::nvrtc_version(); !nvrtc.value) GTEST_SKIP() << nvrtc.reason;
  compile_ahead(states_, "sm_90", folder_.path());
  for (const char* n : {"1", "2", "3"}) EXPECT_TRUE(is_cached(n)) << n;
  EXPECT_FALSE(is_cached("4"));
  EXPECT_THROW(cuda::compile(adding("missing"), "sm_90", folder_.path()), cuda::CudaError);
}

TEST_F(CompileAheadTest, MeasurementsFollowTheirBatchOfCompilations) {
  std::string order;
  const auto compile = [&](std::span<const State> batch) {
    for (const State& state : batch) order += "c" + state.key.point.word("n") + " ";
  };
  const auto measure = [&](std::size_t i) {
    order += "m" + states_[i].key.point.word("n") + " ";
    return i < 3;
  };
  EXPECT_FALSE(measure_in_batches(states_, 2, compile, measure));
  EXPECT_EQ(order, "ca cb ma mb c2 cmissing m2 mmissing ");
  order.clear();
  EXPECT_TRUE(measure_in_batches(std::span(states_).first(3), 0, compile, measure));
  EXPECT_EQ(order, "ma mb m2 ");
}

TEST_F(CompileAheadTest, WithoutACacheNothingIsAsked) {
  compile_ahead(states_, "sm_90", {});
  EXPECT_EQ(asked_, 0);
}

}  // namespace
}  // namespace gpuseq::bench
