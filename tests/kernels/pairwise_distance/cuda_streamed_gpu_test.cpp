#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "cuda_instances.hpp"
#include "cuda_points.hpp"
#include "kernels/pairwise_distance/cuda/host_instances.hpp"
#include "kernels/pairwise_distance/cuda/parts.hpp"
#include "kernels/pairwise_distance/cuda/session.hpp"
#include "small_instances.hpp"

// Parts that go through a device's memory, with instances in pinned memory and where there is none for them.

namespace gpuseq::pairwise_distance {
namespace {

using testing::instances_of;

class CudaStreamed : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device_ = std::make_unique<cuda::CudaDevice>(0);
  }

  bool is_real() const { return GetParam() == std::string("float_tiled"); }
  std::unique_ptr<DistanceProblem> problem_of(u64 count, u64 attributes, u32 missing) const {
    return is_real() ? make_problem(testing::some_reals(count, attributes, missing), Metric::euclidean)
                     : make_problem(instances_of(count, attributes, 3, missing), Metric::hamming);
  }
  TilePolicy policy_for(const DistanceProblem& problem) const {
    const TileVariant& variant = testing::tile_variant(GetParam());
    const Instances& instances = problem.instances();
    return variant.choose(variant.space().complete({}),
                          {.metric = problem.metric(),
                           .alphabet = instances.alphabet,
                           .missing = instances.has_missing(),
                           .instances = instances.count,
                           .attributes = instances.attributes,
                           .shared_bytes = static_cast<std::size_t>(
                               device_->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))});
  }
  std::unique_ptr<DistanceSession> session_of(DistanceProblem& problem, const StreamMemory& memory) {
    return make_streamed_session(problem, policy_for(problem), false, *device_, memory);
  }
  /// Pinned memory that two of the smallest bands take, so that there is none for instances.
  u64 least_pinned(const DistanceProblem& problem) const {
    const TilePolicy policy = policy_for(problem);
    const u64 rows = std::max(policy.block_rows(), policy.block_columns());
    return 2 * rows * problem.instances().count * sizeof(u32) * (problem.instances().has_missing() ? 2 : 1);
  }

  /// The result of a launch is compared with the oracle, and bands with it, also while read for long.
  /// @returns how many bands there are
  u64 expect_bands(DistanceSession& session, u64 count) {
    session.launch();
    session.launch();
    const Verification verification = session.verify();
    EXPECT_TRUE(verification.passed) << verification.reason << ": " << session.facts().dump();
    const Distances whole = session.distances();
    u64 rows = 0, bands = 0;
    session.each_band([&](const DistanceBand& band) {
      EXPECT_EQ(band.first, rows);
      EXPECT_EQ(band.count, count);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the next one is computed
      const auto expect_rows = [&](std::span<const u32> found, const std::vector<u32>& all) {
        const u64 first = all.empty() ? 0 : band.first * count;
        const u64 entries = all.empty() ? 0 : band.rows * count;
        EXPECT_TRUE(std::ranges::equal(found, std::span(all).subspan(first, entries)))
            << "band from " << band.first << " on: " << session.facts().dump();
      };
      expect_rows(band.sum, whole.sum);
      expect_rows(band.compared, whole.compared);
      rows += band.rows;
      ++bands;
    });
    EXPECT_EQ(rows, count);
    return bands;
  }

  std::unique_ptr<cuda::CudaDevice> device_;
};

TEST_P(CudaStreamed, ShapesThatDoNotDivideMakeTheOraclesDistances) {
  for (const u64 count : {1, 40, 257, 700})
    for (const u64 attributes : {1, 1025, 5000})
      for (const u32 missing : {0u, 100u})
        for (const u64 mib : {4, 7}) {
          const auto problem = problem_of(count, attributes, missing);
          const auto session =
              session_of(*problem, {.device_bytes = mib << 20, .pinned_bytes = u64{1} << 30});
          EXPECT_LE(session->held().bytes(), mib << 20);
          EXPECT_EQ(session->facts().at("instances_in"), "pinned");
          expect_bands(*session, count);
        }
}

TEST_P(CudaStreamed, InstancesThatPinnedMemoryHasNoRoomForAreCopiedFromWhereTheyAre) {
  for (const u64 count : {700, 1111})
    for (const u32 missing : {0u, 100u})
      for (const u64 mib : {4, 16}) {
        const auto problem = problem_of(count, 3001, missing);
        const auto session =
            session_of(*problem, {.device_bytes = mib << 20, .pinned_bytes = least_pinned(*problem)});
        EXPECT_EQ(session->facts().at("instances_in"), "pageable");
        EXPECT_GT(expect_bands(*session, count), 2u);
      }
}

/// Sums of products and norms, which are copied next to instances.
TEST_P(CudaStreamed, OtherMetricsMakeTheOraclesDistances) {
  u32 made = 0;
  for (const Metric metric : {Metric::manhattan, Metric::squared_euclidean})
    for (const u32 missing : {0u, 100u}) {
      const auto problem = make_problem(instances_of(700, 3001, 3, missing), metric);
      for (const u64 pinned : {u64{0}, u64{1} << 30}) try {
          const auto session = session_of(
              *problem,
              {.device_bytes = u64{4} << 20, .pinned_bytes = std::max(pinned, least_pinned(*problem))});
          expect_bands(*session, 700);
          ++made;
        } catch (const ResourceError&) {
          // Its representation does not do this metric.
        }
    }
  EXPECT_GT(made, 0u);
}

TEST_P(CudaStreamed, BandsThatPinnedMemoryDoesNotHoldAreRefused) {
  const auto problem = problem_of(1500, 100, 0);
  EXPECT_THROW(session_of(*problem, {.device_bytes = u64{16} << 20, .pinned_bytes = 100'000}), DoesNotFit);
}

TEST_P(CudaStreamed, ASessionGoesOnAfterABandThatWasNotTaken) {
  constexpr u64 kCount = 1111;
  const auto problem = problem_of(kCount, 3001, 100);
  const auto session =
      session_of(*problem, {.device_bytes = u64{4} << 20, .pinned_bytes = least_pinned(*problem)});
  for (const u64 last : {u64{0}, kCount / 2}) {
    EXPECT_THROW(session->each_band([&](const DistanceBand& band) {
      if (band.first + band.rows > last) throw UsageError("the disk is full");
    }),
                 UsageError);
    expect_bands(*session, kCount);
  }
}

TEST_P(CudaStreamed, InstancesAreTheSameInPinnedMemory) {
  ThreadPool pool(2, false);
  for (const u32 missing : {0u, 100u}) {
    const auto problem = problem_of(257, 3001, missing);
    const TilePolicy policy = policy_for(*problem);
    const auto slices = [&] {
      return encode_slices(policy, problem->instances(), problem->metric(), 1024, pool);
    };
    const HostInstances pinned(slices(), u64{1} << 30, *device_, pool), pageable(slices(), 0, *device_, pool);
    EXPECT_TRUE(pinned.are_pinned());
    EXPECT_FALSE(pageable.are_pinned());
    const auto expected = slices();
    for (const HostInstances* host : {&pinned, &pageable}) {
      ASSERT_EQ(host->slices(), expected.size());
      for (u64 slice = 0; slice < expected.size(); ++slice) {
        ASSERT_EQ(host->slice(slice).size(), expected[slice].size());
        for (std::size_t i = 0; i < expected[slice].size(); ++i) {
          const EncodedPass& pass = expected[slice][i];
          const HostPass& found = host->slice(slice)[i];
          const auto expect_bytes = [](std::span<const std::byte> bytes, const auto& values) {
            EXPECT_TRUE(std::ranges::equal(bytes, std::as_bytes(std::span(values))));
          };
          expect_bytes(found.left, pass.left);
          expect_bytes(found.right, pass.right.empty() ? pass.left : pass.right);
          expect_bytes(found.norms, pass.norms);
          EXPECT_EQ(found.encoded.row_pieces, pass.row_pieces);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTile, CudaStreamed,
                         ::testing::Values("register_tiled", "dp4a", "float_tiled", "tensor"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gpuseq::pairwise_distance
