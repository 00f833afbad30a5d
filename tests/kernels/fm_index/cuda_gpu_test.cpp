#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fm_index/cuda/peers/routed_session.hpp"
#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/cuda/routes.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/data/verify.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/kernels/fm_index/cuda_covering.hpp"

// Tests that need a GPU: every variant's kernels against the oracle, and sessions as the program runs them.

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;

template <typename T>
DeviceBuffer uploaded(CudaDevice& device, const T* values, std::size_t count, std::size_t spare_bytes = 0) {
  DeviceBuffer buffer(device, count * sizeof(T) + spare_bytes);
  buffer.upload(std::as_bytes(std::span(values, count)));
  return buffer;
}

/// A text with queries of 0 ... 130 bases, half of which occur, and the oracle's answers.
struct Text {
  Text(std::size_t bases, u32 count, ThreadPool& pool) : letters(testing::random_letters(bases, bases)) {
    suffixes = sort_by_divsufsort(text);
    bwt = bwt_of(text, suffixes, pool);
    derive_columns(bwt, kMaxK, pool);
    Random random(bases);
    for (u32 i = 0; i < count; ++i) add(i % 131, i % 2 == 0, random);
    expected = search_suffixes(text, suffixes, queries, checked_queries(count), pool);
  }

  Index index(const ColumnRank& rank, const Policy& policy, u32 prefix_symbols, ThreadPool& pool) const {
    const Layout layout = policy.layout();
    if (layout.verify()) return build_verify_index(layout, text, suffixes, rank, pool);
    return build_index(bwt, rank, layout, prefix_symbols, pool, 5 * policy.d);
  }

  std::string letters;
  std::vector<u8> text = testing::codes(letters);
  SuffixArray suffixes;
  Bwt bwt;
  Queries queries;
  std::vector<Interval<u64>> expected;

 private:
  void add(u32 length, bool occurs, Random& random) {
    std::string query = testing::random_letters(length, random());
    if (occurs && length <= letters.size())
      query = letters.substr(random.below(letters.size() - length + 1), length);
    const std::vector<u32> packed = testing::packed(query);
    queries.begin.push_back(static_cast<u32>(queries.packed.size() / 4));
    queries.bases.push_back(length);
    queries.source.push_back(static_cast<u32>(queries.source.size()));
    queries.packed.insert(queries.packed.end(), packed.begin(), packed.end());
    queries.total_bases += length;
    ++queries.total;
  }
};

class CudaGpu : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<CudaDevice>(0);
  }

  static Variant variant_of(const std::string& name) {
    std::vector<Variant> variants = cuda_variants();
    return *std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.name == name; });
  }

  template <typename Position>
  void expect_answers(cuda::Kernel& kernel, const Policy& policy, const Text& text, const Index& index) {
    const std::size_t count = text.expected.size();
    const Queries& queries = text.queries;
    const DeviceBuffer entries = uploaded(*device, index.entries.data(), index.entries.size());
    const DeviceBuffer superblocks = uploaded(*device, index.superblocks.data(), index.superblocks.size());
    const DeviceBuffer prefix = uploaded(*device, index.prefix.data(), index.prefix.size());
    const DeviceBuffer packed = uploaded(*device, queries.packed.data(), queries.packed.size(), 16);
    const DeviceBuffer begin = uploaded(*device, queries.begin.data(), count);
    const DeviceBuffer bases = uploaded(*device, queries.bases.data(), count);
    DeviceBuffer intervals(*device, count * sizeof(Interval<Position>));
    intervals.fill(0x77);
    SearchArguments arguments{
        .index = index.view,
        .queries = {packed.as<const u32>(), begin.as<const u32>(), bases.as<const u32>(),
                    static_cast<u32>(count)},
        .intervals = intervals.as<void>(),
        .superblock_reciprocal = policy.wide ? reciprocal(index.view.superblock_rows / policy.d) : 0};
    arguments.index.entries = entries.as<const u8>();
    arguments.index.superblocks = superblocks.as<const u64>();
    arguments.index.prefix = prefix.as<const void>();
    std::array<void*, 1> pointers{&arguments};
    if (policy.shared_bytes() > 0) kernel.allow_shared_bytes(policy.shared_bytes());
    std::vector<Interval<Position>> found(count);
    if (policy.divided) {
      found = answers_of_roles<Position>(kernel, policy, arguments, queries);
    } else if (policy.scheme == Scheme::one_hot_routed) {
      constexpr u32 kWindows = 3;
      const cuda::SmWindows window_of =
          cuda::windows_by_number(kWindows, static_cast<std::size_t>(device->multiprocessors()));
      DeviceRoutes routes(route(queries, index.view.prefix_symbols, policy.k), kWindows, window_of, policy.k,
                          *device);
      routes.launch(kernel, policy, 3, arguments);
    } else {
      kernel.launch(3, policy.threads_per_block, policy.shared_bytes(), pointers);
    }
    if (!policy.divided) intervals.download(std::as_writable_bytes(std::span(found)));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(found[i].l, text.expected[i].l) << search_kernels().name(policy) << ", query " << i;
      ASSERT_EQ(found[i].h, text.expected[i].h) << search_kernels().name(policy) << ", query " << i;
    }
  }

  /// The device takes the part of each of three, a step of one after that of another.
  template <typename Position>
  std::vector<Interval<Position>> answers_of_roles(cuda::Kernel& kernel, const Policy& policy,
                                                   const SearchArguments& arguments, const Queries& queries) {
    constexpr u32 kWindows = 2;
    const cuda::SmWindows window_of =
        cuda::windows_by_number(kWindows, static_cast<std::size_t>(device->multiprocessors()));
    const RoutedQueries routed = route(queries, arguments.index.prefix_symbols, policy.k);
    const std::size_t count = queries.begin.size();
    constexpr u32 kRoles = 3;
    std::array<DeviceBuffer, kRoles> inboxes, intervals;
    Crossing crossing{.devices = kRoles};
    for (u32 i = 0; i < kRoles; ++i) {
      inboxes[i] = DeviceBuffer(*device, 2 * routed.pitch * sizeof(Interval<Position>));
      intervals[i] = DeviceBuffer(*device, count * sizeof(Interval<Position>));
      inboxes[i].fill(0x77);
      intervals[i].fill(0x77);
      crossing.inboxes[i] = inboxes[i].as<void>();
    }
    std::vector<DeviceRoutes> routes;
    for (crossing.device = 0; crossing.device < kRoles; ++crossing.device)
      routes.emplace_back(routed, kWindows, window_of, 1, *device, crossing);
    for (DeviceRoutes& one : routes) one.begin();
    for (u32 step = kOpeningStep; step == kOpeningStep || step < routed.steps; ++step)
      for (u32 i = 0; i < kRoles; ++i) {
        SearchArguments of_role = arguments;
        of_role.intervals = intervals[i].as<void>();
        routes[i].enqueue(step, 0, kernel, policy, 3, of_role);
      }
    const StepsOfDevices steps = steps_of_devices(routed, policy.k, kRoles);
    std::array<std::vector<Interval<Position>>, kRoles> found;
    for (u32 i = 0; i < kRoles; ++i) {
      found[i].resize(count);
      intervals[i].download(std::as_writable_bytes(std::span(found[i])));
    }
    for (std::size_t query = 0; query < count; ++query)
      found[0][query] = found[steps.last_device[query]][query];
    return found[0];
  }

  std::unique_ptr<CudaDevice> device;
  ThreadPool pool{0};
};

TEST_P(CudaGpu, APolicyForEveryPairOfValuesMatchesTheOracle) {
  std::vector<Policy> all = testing::all_policies(variant_of(GetParam()));
  constexpr u32 kMostK = 10;  // of psi layouts, whose lines of larger k have gigabytes
  std::erase_if(all, [](const Policy& policy) { return policy.k > kMostK; });
  const std::vector<Policy> policies = testing::covering(all);
  KernelSource source = search_kernels().source(policies.front(), device_headers());
  source.text = search_kernels().text(policies);
  const cuda::Compiled compiled = cuda::compile(source, device->architecture(), {});
  for (const std::size_t bases : {100u, 1000u, 100'000u}) {
    const Text text(bases, 600, pool);
    const ColumnRank rank(text.bwt, pool);
    for (std::size_t i = 0; i < policies.size(); ++i) {
      const Policy& policy = policies[i];
      cuda::Kernel kernel(*device, compiled.cubin, search_kernels().name(policy));
      const u32 prefix_symbols = static_cast<u32>(i % 11);
      const Index index = text.index(rank, policy, prefix_symbols, pool);
      if (policy.wide)
        expect_answers<u64>(kernel, policy, text, index);
      else
        expect_answers<u32>(kernel, policy, text, index);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(CudaGpu, SessionsVerifyHoweverTheyAreCompiledAndLaunched) {
  const Variant variant = variant_of(GetParam());
  ProblemSpec spec;
  spec.point = problem_space().complete(
      {{"reference_bases", 50'000}, {"query_count", 3000}, {"query_bases", 100}, {"occurring_percent", 80}});
  const std::unique_ptr<FmProblem> problem = load_problem(spec);
  for (const char* point : {"compiled_by=nvrtc", "compiled_by=nvcc", "active_threads=256,prefix_symbols=12",
                            "entry_loads=streamed,prefix_symbols=0,threads_per_block=64",
                            "entry_loads=streamed,active_threads=256"}) {
    if (std::string(point).find("prefix") != std::string::npos &&
        variant.space.find("prefix_symbols") == nullptr)
      continue;
    const std::unique_ptr<SearchSession> session =
        prepare_as<SearchSession>(*problem, variant, Point::parse(point), *device);
    const Verification verification = session->verify();
    EXPECT_TRUE(verification.passed) << point << ": " << verification.reason;
    EXPECT_EQ(verification.checked, 3000u) << point;
    EXPECT_EQ(session->work().amount, 300'000) << point;
    EXPECT_EQ(session->side_samples_s().at("upload").size(), 1u) << point;
    ASSERT_TRUE(session->resources().has_value()) << point;
    EXPECT_GT(session->resources()->registers_per_thread, 0) << point;
    EXPECT_EQ(session->resources()->compiled_by,
              std::string(point).find("nvcc") == std::string::npos ? "nvrtc" : "nvcc");
    const Cost cost = session->cost();
    ASSERT_TRUE(cost.traffic) << point << cost.why_no_bound;
    EXPECT_GT(cost.traffic->blocks, 0) << point;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, CudaGpu,
                         ::testing::Values("task_parallel", "task_parallel_16b", "task_parallel_split",
                                           "memory_cooperative", "full_cooperative", "full_cooperative_split",
                                           "one_hot", "one_hot_routed", "psi", "psi_lines", "elias_fano",
                                           "verify"),
                         [](const auto& info) { return info.param; });

TEST_F(CudaGpu, SessionsOfOneIndexShareItsDeviceCopy) {
  ProblemSpec spec;
  spec.point = problem_space().complete({{"reference_bases", 20'000}, {"query_count", 100}});
  const std::unique_ptr<FmProblem> problem = load_problem(spec);
  const Variant variant = variant_of("full_cooperative");
  const auto prepare = [&](const char* point) {
    return prepare_as<SearchSession>(*problem, variant, Point::parse(point), *device);
  };
  prepare("k=1,lanes_per_query=2,prefix_symbols=4");
  const SearchPoint at =
      search_point(Scheme::full_cooperative,
                   variant.space.complete(Point::parse("k=1,lanes_per_query=2,prefix_symbols=4")));
  const auto copy = problem->index(at.policy.layout(), 4)->device_copy;
  EXPECT_NE(copy, nullptr);
  prepare("k=1,lanes_per_query=2,prefix_symbols=4,threads_per_block=64");
  EXPECT_EQ(problem->index(at.policy.layout(), 4)->device_copy, copy);
}

}  // namespace
}  // namespace gpuseq::fm_index
