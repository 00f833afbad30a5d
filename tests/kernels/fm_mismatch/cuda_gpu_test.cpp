#include <gtest/gtest.h>

#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/kernels/fm_mismatch/cuda_policies.hpp"
#include "tests/kernels/fm_mismatch/small_texts.hpp"

// Tests that need a GPU: every policy's kernel against trying every place, and sessions of the program.

namespace gpuseq::fm_mismatch {
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

class MismatchGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<CudaDevice>(0);
  }

  /// Launches twice, as a session does: for the counts, and to list the hits.
  void expect_places(cuda::Kernel& kernel, const Policy& policy, const SmallText& text, u32 strands,
                     u32 prefix_symbols) {
    const Index& index = text.index;
    const IndexView view = text.with_prefix(prefix_symbols);
    const DeviceBuffer prefix = uploaded(*device, view.prefix, prefix_bytes(prefix_symbols));
    const DeviceBuffer forward = uploaded(*device, index.forward.data(), index.forward.size());
    const DeviceBuffer reverse = uploaded(*device, index.reverse.data(), index.reverse.size());
    const DeviceBuffer packed = uploaded(*device, text.queries.packed.data(), text.queries.packed.size());
    const DeviceBuffer begin = uploaded(*device, text.queries.begin.data(), text.queries.begin.size());
    const DeviceBuffer bases = uploaded(*device, text.queries.bases.data(), text.queries.bases.size());
    const u64 places = text.words.size() * strands;
    DeviceBuffer device_answers(*device, places * sizeof(Answer));
    device_answers.fill(0x77);
    SearchArguments arguments{
        .index = view,
        .queries = {packed.as<const u32>(), begin.as<const u32>(), bases.as<const u32>()},
        .strands = strands,
        .places = places,
        .answers = device_answers.as<Answer>(),
        .hits = {nullptr, nullptr}};
    arguments.index.forward.lines = forward.as<const u8>();
    arguments.index.reverse.lines = reverse.as<const u8>();
    arguments.index.prefix = prefix.as<const u8>();
    const auto launch = [&] {
      std::array<void*, 1> pointers{&arguments};
      kernel.launch(3, policy.threads_per_block, policy.shared_bytes(), pointers);
    };
    kernel.allow_shared_bytes(policy.shared_bytes());
    launch();
    std::vector<Answer> answers(places);
    device_answers.download(std::as_writable_bytes(std::span(answers)));
    const std::vector<u64> begins = begins_of_hits(answers);
    const DeviceBuffer device_begins = uploaded(*device, begins.data(), begins.size());
    std::vector<Hit> hits(begins.back() + 1);
    DeviceBuffer device_hits(*device, hits.size() * sizeof(Hit));
    arguments.hits = {device_hits.as<Hit>(), device_begins.as<const u64>()};
    launch();
    device_hits.download(std::as_writable_bytes(std::span(hits)));
    for (u64 place = 0; place < places; ++place)
      ASSERT_EQ(text.places(answers[place], hits.data() + begins[place]),
                text.expected(place, strands, policy.mismatches))
          << search_kernels().name(policy) << ", table of " << prefix_symbols << ", place " << place << " of "
          << strands << " strands in " << text.text.substr(0, 20);
  }

  std::unique_ptr<CudaDevice> device;
};

TEST_F(MismatchGpu, EveryPolicyFindsWhatTryingEveryPlaceFinds) {
  const std::vector<Policy> policies = testing::all_policies();
  KernelSource source = search_kernels().source(policies.front(), device_headers());
  source.text = search_kernels().text(policies);
  const cuda::Compiled compiled = cuda::compile(source, device->architecture(), {});
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 300, 19);
    for (const Policy& policy : policies) {
      cuda::Kernel kernel(*device, compiled.cubin, search_kernels().name(policy));
      for (const u32 strands : {1u, 2u})
        for (const u32 prefix_symbols : {0u, 1u, 4u, 8u})
          expect_places(kernel, policy, text, strands, prefix_symbols);
    }
  }
}

TEST_F(MismatchGpu, SessionsVerifyHoweverTheyAreCompiledAndLaunched) {
  const Variant search = cuda_variants().front();
  for (const char* more : {"mismatches=0", "mismatches=1,strands=both", "mismatches=2,strands=both",
                           "query_bases=7", "query_bases=0", "query_bases=100,occurring_percent=50"}) {
    Point point{{"reference_bases", 100'000}, {"query_count", 4000}, {"query_bases", 30}};
    const Point given = Point::parse(more);
    for (const auto& [axis, value] : given.values()) point.set(axis, value);
    MismatchProblem problem({.point = point, .files = {}, .seed = 5, .cache_dir = {}, .threads = 0});
    for (const char* tuning :
         {"", "compiled_by=nvcc", "queries_of_warp=32,line_loads=streamed",
          "threads_per_block=256,queries_of_warp=256", "prefix_symbols=8",
          "prefix_symbols=10,queries_of_warp=32", "compiled_by=nvcc,prefix_symbols=12"}) {
      const auto session = prepare_as<MismatchSession>(problem, search, Point::parse(tuning), *device);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << more << " " << tuning << ": " << verification.reason;
      EXPECT_EQ(verification.checked, 4000u) << more;
      ASSERT_TRUE(session->resources().has_value());
      EXPECT_EQ(session->hits().size(), begins_of_hits(session->answers()).back());
      EXPECT_GT(session->cost().traffic->in_flight, 0);
    }
  }
}

TEST_F(MismatchGpu, SessionsOfOneIndexShareItsDeviceCopy) {
  MismatchProblem problem({.point = {{"reference_bases", 20'000}, {"query_count", 100}},
                           .files = {},
                           .seed = 5,
                           .cache_dir = {},
                           .threads = 0});
  const Variant search = cuda_variants().front();
  const auto first = prepare_as<MismatchSession>(problem, search, {}, *device);
  const auto copy = problem.index().device_copy;
  EXPECT_NE(copy, nullptr);
  const auto second =
      prepare_as<MismatchSession>(problem, search, Point::parse("queries_of_warp=64"), *device);
  EXPECT_EQ(problem.index().device_copy, copy);
  const auto third = prepare_as<MismatchSession>(problem, search, Point::parse("prefix_symbols=8"), *device);
  const auto table = problem.prefix_table(8)->device_copy;
  EXPECT_NE(table, nullptr);
  const auto fourth = prepare_as<MismatchSession>(
      problem, search, Point::parse("queries_of_warp=64,prefix_symbols=8"), *device);
  EXPECT_EQ(problem.prefix_table(8)->device_copy, table);
  EXPECT_EQ(problem.index().device_copy, copy);
  EXPECT_EQ(fourth->held().parts.at(kPrefixTablePart), 65'536u * 16);
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
