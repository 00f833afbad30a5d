#include <gtest/gtest.h>

#include "kernels/fm_index/cuda/device_order.hpp"
#include "kernels/fm_index/cuda/device_order_launch.hpp"
#include "kernels/fm_index/problem.hpp"
#include "tests/kernels/fm_index/queries/ordered_queries.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Tests that need a GPU: the sort itself, and sessions that sort before they search.

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;

class DeviceOrderGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<CudaDevice>(0);
  }

  template <typename T>
  DeviceBuffer uploaded(const std::vector<T>& values) {
    DeviceBuffer buffer(*device, values.size() * sizeof(T) + 16);
    buffer.upload(values);
    return buffer;
  }
  template <typename T>
  std::vector<T> downloaded(const DeviceBuffer& buffer, std::size_t count) {
    std::vector<T> values(count);
    buffer.download(std::as_writable_bytes(std::span(values)));
    return values;
  }

  void expect_order(const Queries& queries, OrderKey key);
  template <typename Position>
  void expect_given_back(const std::vector<u32>& order);

  std::unique_ptr<CudaDevice> device;
};

void DeviceOrderGpu::expect_order(const Queries& queries, OrderKey key) {
  const auto count = static_cast<u32>(queries.begin.size());
  const DeviceBuffer packed = uploaded(queries.packed), begin = uploaded(queries.begin),
                     bases = uploaded(queries.bases);
  const OrderArguments arguments{
      {packed.as<const u32>(), begin.as<const u32>(), bases.as<const u32>(), count},
      key,
      even_units(queries)};
  const std::vector<u32> none(count);
  DeviceBuffer buffers[4]{uploaded(none), uploaded(none), uploaded(none), uploaded(none)};
  std::size_t scratch_bytes = 0;
  ASSERT_EQ(scratch_for_order(count, 2 * key.bases, scratch_bytes), nullptr);
  const DeviceBuffer scratch(*device, scratch_bytes);
  const OrderMemory memory{.keys = {buffers[0].as<u32>(), buffers[1].as<u32>()},
                           .numbers = {buffers[2].as<u32>(), buffers[3].as<u32>()},
                           .scratch = scratch.as<void>(),
                           .scratch_bytes = scratch_bytes};
  const u32* numbers = nullptr;
  ASSERT_EQ(launch_order(arguments, memory, numbers, device->stream()), nullptr);
  ASSERT_EQ(launch_places(arguments, numbers, memory.keys[0], memory.keys[1], device->stream()), nullptr);
  const std::vector<u32> order = testing::order_by_letters(queries, key);
  ASSERT_EQ(downloaded<u32>(buffers[numbers == memory.numbers[0] ? 2 : 3], count), order);
  std::vector<u32> begins, lengths;
  for (const u32 query : order) {
    begins.push_back(queries.begin[query]);
    lengths.push_back(queries.bases[query]);
  }
  ASSERT_EQ(downloaded<u32>(buffers[0], count), begins);
  if (arguments.even_units == 0) {
    ASSERT_EQ(downloaded<u32>(buffers[1], count), lengths);
  }
}

template <typename Position>
void DeviceOrderGpu::expect_given_back(const std::vector<u32>& order) {
  const std::size_t count = order.size();
  std::vector<Position> found, expected(2 * count);
  for (std::size_t at = 0; at < count; ++at)
    for (const std::size_t bound : {2 * at, 2 * at + 1}) {
      found.push_back(static_cast<Position>(~Position{0} - bound));
      expected[2 * std::size_t{order[at]} + bound % 2] = found.back();
    }
  const DeviceBuffer numbers = uploaded(order), from = uploaded(found),
                     to = uploaded(std::vector<Position>(2 * count));
  ASSERT_EQ(launch_give_back(static_cast<u32>(count), numbers.as<const u32>(), from.as<const void>(),
                             to.as<void>(), sizeof(Position) == 8, device->stream()),
            nullptr);
  EXPECT_EQ(downloaded<Position>(to, 2 * count), expected);
}

TEST_F(DeviceOrderGpu, PutsQueriesInTheOrderOfTheirLetters) {
  for (const u32 count : {1u, 31u, 5000u, 300'001u})
    for (const bool even : {true, false}) {
      const Queries queries = testing::random_queries(count, even);
      for (const OrderKey key :
           {OrderKey{1, true}, OrderKey{4, false}, OrderKey{8, true}, OrderKey{12, false}, OrderKey{13, true},
            OrderKey{16, false}, OrderKey{16, true}}) {
        SCOPED_TRACE(::testing::Message() << count << " queries, even " << even << ", " << key.bases
                                          << " bases, from end " << key.from_end);
        expect_order(queries, key);
      }
    }
}

TEST_F(DeviceOrderGpu, PutsAnswersWhereTheirQueriesCameFrom) {
  for (const u32 count : {1u, 31u, 70'001u}) {
    const std::vector<u32> order =
        testing::order_by_letters(testing::random_queries(count, true), {12, false});
    expect_given_back<u32>(order);
    expect_given_back<u64>(order);
  }
}

TEST_F(DeviceOrderGpu, EveryVariantAnswersAsWithoutItAndSaysWhatItHolds) {
  TemporaryFolder folder;
  std::string reads = ">none\n\n>other\nACGNACGT\n";
  for (u32 i = 0; i < 2000; ++i)
    reads += ">r\n" + testing::random_letters(i % 7 == 0 ? i % 131 : 1 + i % 12, i / 2) + "\n";
  const std::filesystem::path file = folder.write("reads.fa", reads);
  for (const char* queries :
       {"query_count=3000,occurring_percent=60", "queries=reads", "query_count=0,queries=none"}) {
    const std::unique_ptr<FmProblem> problem =
        load_problem({.point = problem_space().complete(
                          Point::parse(std::string("reference=random,reference_bases=20000,") + queries)),
                      .files = {{"reads", file}, {"none", folder.write("none.fa", ">n\nNNN\n")}},
                      .seed = 9,
                      .cache_dir = {},
                      .threads = 2});
    for (const Variant& variant : cuda_variants()) {
      if (variant.name == "one_hot_routed") continue;
      const auto plain = prepare_as<SearchSession>(*problem, variant, {}, *device);
      const std::vector<Interval<u64>> expected = plain->answers();
      EXPECT_FALSE(plain->held().parts.contains(kWorkspacePart));
      for (const char* point :
           {"device_order=sorted,sort_bases=1", "device_order=sorted,sort_bases=12",
            "device_order=sorted_reversed,sort_bases=8", "device_order=sorted_reversed,sort_bases=16"}) {
        SCOPED_TRACE(::testing::Message() << queries << ", " << variant.name << ", " << point);
        const auto session = prepare_as<SearchSession>(*problem, variant, Point::parse(point), *device);
        for (int launch = 0; launch < 2; ++launch) {
          session->launch();
          const std::vector<Interval<u64>> found = session->answers();
          ASSERT_EQ(found.size(), expected.size());
          for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i].l, expected[i].l) << i;
            ASSERT_EQ(found[i].h, expected[i].h) << i;
          }
        }
        EXPECT_TRUE(session->verify().passed) << session->verify().reason;
        const Cost cost = session->cost();
        EXPECT_FALSE(cost.traffic);
        const auto& parts = cost.held.parts;
        // Keys and numbers twice, and intervals once more.
        if (!expected.empty()) {
          EXPECT_GE(parts.at(kWorkspacePart), expected.size() * (4 * sizeof(u32) + sizeof(Interval<u32>)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
