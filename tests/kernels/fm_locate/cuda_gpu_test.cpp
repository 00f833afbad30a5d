#include <gtest/gtest.h>

#include "kernels/fm_locate/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/kernels/fm_locate/cuda_policies.hpp"
#include "tests/kernels/fm_locate/small_texts.hpp"

// Tests that need a GPU: every policy's kernel against trying every place, and sessions of the program.

namespace gpuseq::fm_locate {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;
using testing::SmallText;

template <typename T>
DeviceBuffer uploaded(CudaDevice& device, const T* values, std::size_t count) {
  DeviceBuffer buffer(device, count * sizeof(T));
  buffer.upload(std::as_bytes(std::span(values, count)));
  return buffer;
}

class LocateGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<CudaDevice>(0);
  }

  std::vector<u32> located(cuda::Kernel& kernel, const Policy& policy, const SmallText& text,
                           const Index& index) {
    const Occurrences& asked = text.occurrences;
    const DeviceBuffer lines = uploaded(*device, index.lines.data(), index.lines.size());
    const DeviceBuffer samples = uploaded(*device, index.samples.data(), index.samples.size());
    const DeviceBuffer first_row = uploaded(*device, asked.first_row.data(), asked.first_row.size());
    const DeviceBuffer begin = uploaded(*device, asked.begin.data(), asked.begin.size());
    DeviceBuffer positions(*device, asked.total() * sizeof(u32));
    positions.fill(0x77);
    LocateArguments arguments{
        .index = index.view,
        .occurrences = {first_row.as<const u32>(), begin.as<const u32>(), asked.view().queries},
        .positions = positions.as<u32>(),
        .total = asked.total()};
    arguments.index.lines = lines.as<const u8>();
    arguments.index.samples = samples.as<const u32>();
    std::array<void*, 1> pointers{&arguments};
    kernel.allow_shared_bytes(policy.shared_bytes());
    kernel.launch(3, policy.threads_per_block, policy.shared_bytes(), pointers);
    std::vector<u32> found(asked.total());
    positions.download(std::as_writable_bytes(std::span(found)));
    return found;
  }

  std::unique_ptr<CudaDevice> device;
};

TEST_F(LocateGpu, EveryPolicyFindsWhatTryingEveryPlaceFinds) {
  const std::vector<Policy> policies = testing::all_policies();
  KernelSource source = locate_kernels().source(policies.front(), device_headers());
  source.text = locate_kernels().text(policies);
  const cuda::Compiled compiled = cuda::compile(source, device->architecture(), {});
  for (const std::string& letters : testing::small_texts()) {
    SmallText text(letters, 300, 14);
    const auto expected = text.expected();
    for (const Layout& layout : testing::layouts()) {
      const Index index = text.index(layout);
      for (const Policy& policy : policies) {
        if (policy.marked != layout.marked()) continue;
        cuda::Kernel kernel(*device, compiled.cubin, locate_kernels().name(policy));
        ASSERT_EQ(text.by_query(located(kernel, policy, text, index)), expected)
            << locate_kernels().name(policy) << ", rate " << layout.rate << " of " << letters.substr(0, 20);
      }
    }
  }
}

TEST_F(LocateGpu, SessionsVerifyHoweverTheyAreCompiledAndLaunched) {
  const Variant walk = cuda_variants().front();
  for (const std::int64_t query_bases : {30, 5, 0}) {
    LocateProblem problem({.point = {{"reference_bases", 200'000},
                                     {"query_count", 20'000},
                                     {"query_bases", query_bases},
                                     {"occurring_percent", 80},
                                     {"max_hits", 100}},
                           .files = {},
                           .seed = 5,
                           .cache_dir = {},
                           .threads = 0});
    for (const char* point :
         {"sa_rate=32", "sa_rate=32,compiled_by=nvcc", "sa_rate=8,sa_sampling=rows,compiled_by=nvcc",
          "sa_rate=1", "sa_rate=128,walks_of_warp=32,line_loads=cached",
          "sa_rate=4,sa_sampling=rows,threads_per_block=512,walks_of_warp=512"}) {
      const auto session = prepare_as<LocateSession>(problem, walk, Point::parse(point), *device);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << point << ": " << verification.reason;
      EXPECT_EQ(verification.checked, 20'000u) << point;
      EXPECT_EQ(session->work().amount, problem.occurrences().total()) << point;
      ASSERT_TRUE(session->resources().has_value()) << point;
      if (query_bases == 30) {
        const Cost cost = session->cost();
        EXPECT_GT(cost.traffic->blocks, 0) << point;
        EXPECT_GT(cost.traffic->in_flight, 0) << point;
      }
    }
  }
}

TEST_F(LocateGpu, SessionsOfOneIndexShareItsDeviceCopy) {
  LocateProblem problem({.point = {{"reference_bases", 20'000}, {"query_count", 100}},
                         .files = {},
                         .seed = 5,
                         .cache_dir = {},
                         .threads = 0});
  const Variant walk = cuda_variants().front();
  const auto first = prepare_as<LocateSession>(problem, walk, Point::parse("sa_rate=8"), *device);
  const auto copy = problem.index({.rate = 8})->device_copy;
  EXPECT_NE(copy, nullptr);
  const auto second =
      prepare_as<LocateSession>(problem, walk, Point::parse("sa_rate=8,walks_of_warp=64"), *device);
  EXPECT_EQ(problem.index({.rate = 8})->device_copy, copy);
}

}  // namespace
}  // namespace gpuseq::fm_locate
