#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda_instances.hpp"
#include "cuda_points.hpp"
#include "runtime/cuda/cuda.hpp"
#include "small_instances.hpp"

// Tests that need a GPU: every variant's kernels against distances by definition, as the program runs them.

namespace gpuseq::pairwise_distance {
namespace {

using testing::expected_distances;
using testing::instances_of;

class CudaGpu : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<cuda::CudaDevice>(0);
    variant = testing::cuda_variant(GetParam());
  }

  /// All distances at some points, each launched twice.
  void expect_distances(const Instances& instances, Metric metric, const std::vector<Point>& points) {
    const auto problem = make_problem(instances, metric);
    const Distances expected = expected_distances(instances, metric);
    for (const Point& point : points) {
      std::unique_ptr<DistanceSession> session;
      try {
        session = prepare_as<DistanceSession>(*problem, variant, point, *device);
      } catch (const ResourceError&) {
        ++refused;
        continue;
      }
      ++computed;
      session->launch();
      session->launch();
      EXPECT_EQ(session->distances(), expected)
          << instances.count << " instances, " << instances.attributes << " attributes, "
          << instances.alphabet << " symbols, " << kMetricNames[static_cast<u32>(metric)] << ", "
          << point.to_string();
    }
  }

  /// Constant memory does not hold all data.
  bool holds(u64 count, u64 attributes) const {
    return GetParam() != std::string("constant") || count * ladder_row_bytes(attributes) <= kConstantBytes;
  }
  std::vector<Point> default_point() const { return {variant.space.complete({})}; }

  std::unique_ptr<cuda::CudaDevice> device;
  Variant variant;
  int computed = 0, refused = 0;
};

TEST_P(CudaGpu, EveryValueOfEveryAxisMakesTheDistances) {
  // As many as constant memory holds.
  expect_distances(instances_of(93, 701, 3, 0), Metric::hamming, testing::covering_points(variant.space));
  EXPECT_GT(computed, 3 * refused);
}

TEST_P(CudaGpu, SizesThatAreNoMultipleOfAnythingMakeTheDistances) {
  for (const u64 count : {1, 2, 31, 112, 257})
    for (const u64 attributes : {1, 512, 1001}) {
      const int before = refused;
      expect_distances(instances_of(count, attributes, 3, 0), Metric::hamming, default_point());
      EXPECT_EQ(refused == before, holds(count, attributes)) << count << " x " << attributes;
    }
}

TEST_P(CudaGpu, LargeTilesMakeTheDistances) {
  if (testing::is_ladder(GetParam())) GTEST_SKIP() << "a block takes a pair";
  for (const u64 count : {700, 2100})
    expect_distances(instances_of(count, 300, 3, 10), Metric::hamming, default_point());
  EXPECT_EQ(refused, 0);
}

TEST_P(CudaGpu, EveryMetricAlphabetAndMissingValuesMakeTheDistancesOrAreRefused) {
  for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean})
    for (const u32 alphabet : {1, 2, 3, 5, 9, 12, 128, 256})
      for (const u32 missing : {0, 100})
        expect_distances(instances_of(45, 333, alphabet, missing), metric, default_point());
  EXPECT_GT(computed, 0);
}

TEST_P(CudaGpu, RealValuesMakeDistancesWithinTheBoundOrAreRefused) {
  for (const auto& [count, attributes] : {std::pair{1, 1}, {93, 701}, {257, 1001}, {700, 300}, {2100, 40}})
    for (const u32 missing : {0u, 100u}) {
      const auto problem =
          make_problem(testing::some_reals(static_cast<u64>(count), static_cast<u64>(attributes), missing),
                       Metric::euclidean);
      for (const Point& point : testing::covering_points(variant.space)) {
        if (count != 93 && point != variant.space.complete({})) continue;
        try {
          const Verification verification =
              prepare_as<DistanceSession>(*problem, variant, point, *device)->verify();
          EXPECT_TRUE(verification.passed) << point.to_string() << ": " << verification.reason;
          ++computed;
        } catch (const ResourceError&) {
          ++refused;
        }
      }
    }
  EXPECT_EQ(computed > 0, GetParam() == std::string("float_tiled"));
}

/// A limit of few bytes, so that there are many parts, with several launches of each.
TEST_P(CudaGpu, PartsThatKeepToAMemoryMakeTheSameBands) {
  if (testing::is_ladder(GetParam())) GTEST_SKIP() << "it computes all distances at once";
  for (const u64 count : {40, 700, 1500})
    for (const u32 missing : {0u, 100u})
      for (const u64 mib : {4, 16}) {
        const bool real = GetParam() == std::string("float_tiled");
        const auto problem = real ? make_problem(testing::some_reals(count, 5000, missing), Metric::euclidean)
                                  : make_problem(instances_of(count, 5000, 3, missing), Metric::hamming);
        problem->keep_to(mib << 20);
        const auto session =
            prepare_as<DistanceSession>(*problem, variant, variant.space.complete({}), *device);
        EXPECT_LE(session->held().bytes(), mib << 20);
        session->launch();
        const Verification verification = session->verify();
        EXPECT_TRUE(verification.passed)
            << count << " instances, " << mib << " MiB: " << verification.reason << session->facts().dump();
        const Distances whole = session->distances();
        u64 rows = 0;
        session->each_band([&](const DistanceBand& band) {
          EXPECT_EQ(band.first, rows);
          EXPECT_TRUE(std::ranges::equal(
              band.sum, std::span(whole.sum).subspan(band.first * count, band.rows * count)));
          rows += band.rows;
        });
        EXPECT_EQ(rows, count);
      }
}

TEST_P(CudaGpu, KernelsCompiledAheadOfTimeMakeTheSameDistances) {
  const Point ahead = variant.space.complete({{"compiled_by", std::string("nvcc")}});
  for (const u64 count : {3, 112, 650})
    if (holds(count, 515)) expect_distances(instances_of(count, 515, 3, 0), Metric::hamming, {ahead});
  EXPECT_EQ(refused, 0);
}

TEST_P(CudaGpu, SessionsAreVerifiedAndSayWhatTheyRan) {
  const auto problem = make_problem(instances_of(112, 512, 3, 0), Metric::hamming);
  const auto session = prepare_as<DistanceSession>(*problem, variant, variant.space.complete({}), *device);
  const Verification verification = session->verify();
  EXPECT_TRUE(verification.passed) << verification.reason;
  EXPECT_GT(verification.checked, 0u);
  EXPECT_GT(session->facts().at("packed_bytes").get<u64>(), 112u * 512 / 8);
  ASSERT_TRUE(session->resources().has_value());
  EXPECT_GT(session->resources()->blocks, 0);
  std::vector<std::string> sides;
  for (const auto& [side, samples] : session->side_samples_s()) sides.push_back(side);
  EXPECT_EQ(sides, (std::vector<std::string>{"download", "load_kernel", "upload"}))
      << "the check has downloaded what was computed";
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, CudaGpu,
                         ::testing::Values("naive", "coalesced", "char4", "register", "shared", "constant",
                                           "texture", "parallel_reduction", "warp_shuffle", "register_tiled",
                                           "dp4a", "float_tiled", "tensor"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gpuseq::pairwise_distance
