#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cuda_instances.hpp"
#include "cuda_points.hpp"
#include "kernels/pairwise_distance/cuda/encoding.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::pairwise_distance {
namespace {

TilePolicy chosen(const char* name, const PairShape& shape, const Point& point = {}) {
  const TileVariant& variant = testing::tile_variant(name);
  return variant.choose(variant.space().complete(point), shape);
}

template <class Variant>
std::string why_not(const Variant& variant, const PairShape& shape, const Point& point = {}) {
  try {
    variant.choose(variant.space().complete(point), shape);
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "";
}
std::string why_not(const char* name, const PairShape& shape, const Point& point = {}) {
  return why_not(testing::tile_variant(name), shape, point);
}

TEST(PairPolicy, LadderRefusesWhatThePaperDoesNotDoAndNamesTheVariantsThatDo) {
  std::set<std::string> reasons;
  for (const LadderVariant& variant : ladder_variants()) {
    EXPECT_EQ(why_not(variant, {.alphabet = 256, .instances = 46'340}), "");
    for (const PairShape& shape :
         {PairShape{.missing = true}, PairShape{.metric = Metric::manhattan}, PairShape{.instances = 46'341}})
      reasons.insert(why_not(variant, shape));
  }
  expect_text({reasons.begin(), reasons.end()});
}

TEST(PairPolicy, ConstantMemoryHoldsThePapersProblemAndRefusesWhatItHasNoRoomFor) {
  for (const LadderVariant& variant : ladder_variants()) {
    const bool constant = variant.policy.path == ReadPath::constant;
    EXPECT_EQ(variant.name == "constant", constant);
    EXPECT_EQ(why_not(variant, {.instances = 112, .attributes = 512}), "");
    // Rows are of whole words: 516 bytes each.
    EXPECT_EQ(why_not(variant, {.instances = 127, .attributes = 516}), "");
    const std::string refused = why_not(variant, {.instances = 128, .attributes = 513});
    EXPECT_EQ(refused.empty(), !constant) << variant.name;
    if (constant) expect_text(refused);
  }
}

TEST(PairPolicy, TheLadderLoadsBothCodesOfEveryPairAndTestsEveryByte) {
  constexpr u64 kInstances = 5, kAttributes = 1001;
  for (const LadderVariant& variant : ladder_variants()) {
    const LadderPolicy policy = variant.choose(variant.space().complete({}), {});
    // As the threads of all blocks go through their attributes.
    double loads = 0, tests = 0;
    for (u64 block = 0; block < kInstances * kInstances; ++block)
      for (u64 thread = 0; thread < policy.threads; ++thread)
        for (u64 i = policy.bytes() ? 4 * thread : thread; i < kAttributes;
             i += (policy.bytes() ? 4 : 1) * policy.threads) {
          loads += 2;
          if (policy.bytes()) tests += 4;
        }
    if (policy.path == ReadPath::constant) loads = 0;
    // The sum of the counts of a block's threads is in another test.
    if (policy.sum != Sum::one_thread) continue;
    const auto operations = ladder_instructions(policy, kInstances, kAttributes).operations;
    EXPECT_DOUBLE_EQ(loads > 0 ? operations.at("load_shared_32") : 0, loads) << variant.name;
    EXPECT_EQ(operations.contains("lop3"), policy.bytes()) << variant.name;
    EXPECT_DOUBLE_EQ(policy.bytes() ? operations.at("lop3") : 0, tests) << variant.name;
  }
}

TEST(PairPolicy, ReductionsTakeTheStepsOfTheirThreadsBesideWhatSharedDoes) {
  constexpr u64 kInstances = 5, kAttributes = 1001;
  for (const u32 threads : {32u, 64u, 512u}) {
    const auto counted = [&](Sum sum) {
      return ladder_instructions({.threads = threads, .sum = sum}, kInstances, kAttributes).operations;
    };
    auto tree = counted(Sum::one_thread), shuffles = tree;
    for (u32 half = threads / 2; half > 0; half /= 2)
      tree["load_shared_32"] += kInstances * kInstances * 2. * half;
    for (u32 lanes = 2; lanes <= kWarp; lanes *= 2)
      shuffles["shuffle"] += kInstances * kInstances * 1. * threads;
    if (threads > kWarp) shuffles["load_shared_32"] += kInstances * kInstances * (threads / 32.);
    for (u32 warps = 2; warps <= threads / kWarp; warps *= 2)
      shuffles["shuffle"] += kInstances * kInstances * 1. * kWarp;
    EXPECT_EQ(counted(Sum::tree), tree) << threads;
    EXPECT_EQ(counted(Sum::shuffles), shuffles) << threads;
  }
}

TEST(PairPolicy, EveryMetricOfTernaryDataHasAVariantWithAndWithoutMissingValues) {
  for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::ibs})
    for (const bool missing : {false, true})
      for (const char* name : {"dp4a", "tensor"})
        EXPECT_EQ(why_not(name, {.metric = metric, .missing = missing, .instances = 100}), "") << name;
}

TEST(PairPolicy, RealValuesAreForFloatsAlone) {
  std::set<std::string> reasons;
  for (const LadderVariant& variant : ladder_variants())
    reasons.insert(why_not(variant, {.metric = Metric::euclidean}));
  expect_text({reasons.begin(), reasons.end()});
  for (const TileVariant& variant : tile_variants())
    EXPECT_EQ(why_not(variant, {.metric = Metric::euclidean}).empty(), variant.name == "float_tiled");
  EXPECT_EQ(chosen("float_tiled", {.metric = Metric::euclidean, .missing = true}).sums(), 2u);
}

TEST(PairPolicy, FloatsRefuseSumsOfCodesThatTheyDoNotHoldExactly) {
  EXPECT_EQ(why_not("float_tiled", {.attributes = 1 << 24}), "");
  expect_text(why_not("float_tiled", {.attributes = (1 << 24) + 1}));
  expect_text(
      why_not("float_tiled", {.metric = Metric::squared_euclidean, .alphabet = 256, .attributes = 259}));
  EXPECT_EQ(why_not("float_tiled", {.metric = Metric::euclidean, .attributes = 1u << 31}), "");
}

TEST(PairPolicy, TensorTakesBitsWhereTheyDoAndBytesElsewhere) {
  EXPECT_EQ(chosen("tensor", {.missing = true}).product, Product::matrix_b1);
  EXPECT_EQ(chosen("tensor", {.metric = Metric::ibs}).product, Product::matrix_b1);
  EXPECT_EQ(chosen("tensor", {.metric = Metric::ibs, .missing = true}).product, Product::matrix_s8);
  EXPECT_EQ(chosen("tensor", {.metric = Metric::squared_euclidean}).product, Product::matrix_s8);
  expect_text(why_not("tensor", {.metric = Metric::squared_euclidean}, {{"arithmetic", std::string("b1")}}));
  // From sm_100 on products of bits are emulated.
  EXPECT_EQ(chosen("tensor", {.capability = 100}).product, Product::matrix_s8);
  expect_text(why_not("tensor", {.capability = 75}));
}

TEST(PairPolicy, PlanesAreAsFewAsTheAlphabetNeeds) {
  for (const auto& [alphabet, planes] : std::map<u32, u32>{{1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {256, 8}})
    EXPECT_EQ(chosen("register_tiled", {.alphabet = alphabet}).planes, planes);
  EXPECT_EQ(chosen("register_tiled", {.metric = Metric::manhattan, .alphabet = 9}).planes, 8u);
  expect_text(why_not("register_tiled", {.metric = Metric::manhattan, .alphabet = 10}));
  EXPECT_EQ(chosen("register_tiled", {.missing = true}).unit(), 3u);
}

TEST(PairPolicy, FewInstancesHaveSmallTilesAndSharedMemoryIsNeverExceeded) {
  u32 before = 0;
  for (const u64 instances : {112u, 1000u, 4096u}) {
    const TilePolicy policy = chosen("tensor", {.instances = instances});
    EXPECT_GT(policy.block_rows() * policy.block_columns(), before);
    before = policy.block_rows() * policy.block_columns();
  }
  for (const std::size_t bytes : {48u << 10, 64u << 10, 99u << 10, 163u << 10, 227u << 10})
    for (PairShape shape : testing::shapes())
      for (const char* name : {"register_tiled", "dp4a", "float_tiled", "tensor"}) {
        shape.shared_bytes = bytes;
        if (why_not(name, shape) != "") continue;
        const TilePolicy policy = chosen(name, shape);
        EXPECT_LE(policy.shared_bytes(), bytes) << tile_kernels().name(policy);
        EXPECT_EQ(policy.pieces % policy.unit(), 0u) << tile_kernels().name(policy);
      }
  EXPECT_GE(chosen("tensor", {.instances = 16'384, .shared_bytes = 99 << 10}).stages, 2u);
  expect_text(why_not("tensor", {.instances = 16'384}, {{"row_groups", 4}, {"column_groups", 4}}));
  expect_text(why_not("tensor", {.instances = 16'384, .shared_bytes = 48 << 10}, {{"stages", 4}}));
}

TEST(PairPolicy, NvccCompilesTheDefaultsOfTernaryData) {
  for (const char* name : {"register_tiled", "dp4a", "float_tiled", "tensor"})
    for (const u64 instances : {1u, 112u, 1000u, 4096u, 16'384u})
      EXPECT_TRUE(tile_kernels().is_ahead_of_time(chosen(name, {.instances = instances})));
  for (const u64 instances : {112u, 16'384u})
    for (const bool missing : {false, true})  // NVRTC compiles those for missing values
      EXPECT_EQ(
          tile_kernels().is_ahead_of_time(chosen(
              "float_tiled", {.metric = Metric::euclidean, .missing = missing, .instances = instances})),
          !missing);
  EXPECT_FALSE(tile_kernels().is_ahead_of_time(chosen("register_tiled", {.alphabet = 200})));
}

TEST(PairPolicy, NamesTellAllPoliciesApart) {
  std::set<std::string> ladder;
  std::size_t points = 0;
  for (const LadderVariant& variant : ladder_variants())
    for (const Point& point : testing::covering_points(variant.space())) {
      ladder.insert(ladder_kernels().name(variant.choose(point, {})));
      ++points;
    }
  EXPECT_EQ(ladder.size(), points);
  EXPECT_TRUE(ladder.contains("pairwise_distance_shared_t128"));
  EXPECT_TRUE(ladder.contains("pairwise_distance_shared_t128_constant_tree"));
  for (const TileVariant& variant : tile_variants()) {
    const auto policies = testing::covering_policies(variant);
    EXPECT_GT(policies.size(), 15u);
    for (const TilePolicy& policy : policies)
      EXPECT_NE(tile_kernels().text({&policy, 1}).find(tile_kernels().name(policy) + "("), std::string::npos);
  }
}

TEST(Tiles, EveryPairIsInOneTileOrItsMirrorImageIs) {
  for (const bool half : {false, true})
    for (const u64 count : {1u, 63u, 64u, 65u, 300u}) {
      TilePolicy policy{.rows = 16, .columns = 32, .row_groups = 2, .column_groups = 4};
      policy.half = half;
      std::vector<u32> written(count * count);
      const std::vector<u32> tiles = tiles_of(policy, count, 3);
      EXPECT_EQ(tile_count(policy, count), tiles.size());
      for (const u32 tile : tiles) {
        const u64 first_row = (tile >> 16) * policy.block_rows();
        const u64 first_column = (tile & 0xffff) * policy.block_columns();
        u32 pairs = 0;
        for (u64 i = first_row; i < std::min(count, first_row + policy.block_rows()); ++i)
          for (u64 j = first_column; j < std::min(count, first_column + policy.block_columns()); ++j) {
            if (half && j < i) continue;
            ++pairs;
            ++written[i * count + j];
            if (half && j != i) ++written[j * count + i];
          }
        EXPECT_GT(pairs, 0u);
      }
      EXPECT_THAT(written, ::testing::Each(1u)) << count << half;
    }
}

TEST(Bands, HoldEveryRowOfATileOnce) {
  for (const TileVariant& variant : tile_variants())
    for (const TilePolicy& policy : testing::covering_policies(variant)) {
      std::vector<u32> rows(policy.block_rows());
      for (u32 band = 0; band < policy.bands(); ++band)
        for (u32 row = 0; row < policy.band_rows(); ++row) ++rows.at(policy.tile_row(band, row));
      EXPECT_THAT(rows, ::testing::Each(1u)) << tile_kernels().name(policy);
    }
}

TEST(Encoding, RowsOfATileStartInDifferentBanks) {
  for (const TileVariant& variant : tile_variants())
    for (const TilePolicy& policy : testing::covering_policies(variant))
      EXPECT_EQ(policy.row_stride() / kPieceBytes % 2, 1u) << tile_kernels().name(policy);
}

TEST(Encoding, TernaryHammingIsTwoOrThreePlanesOfBitsOrTwoBytes) {
  ThreadPool pool(1, false);
  const Instances instances = testing::instances_of(5, 1024, 3, 0);
  TilePolicy policy = chosen("tensor", {.instances = 5});
  EXPECT_TRUE(policy.derived);
  EXPECT_EQ(encode(policy, instances, Metric::hamming, pool).at(0).row_pieces, 16u);
  policy.derived = false;
  EXPECT_EQ(encode(policy, instances, Metric::hamming, pool).at(0).row_pieces, 24u);
  const auto bytes = encode(chosen("dp4a", {.instances = 5}), instances, Metric::hamming, pool);
  EXPECT_EQ(bytes.at(0).row_pieces, 128u);
  EXPECT_NE(bytes.at(0).right, bytes.at(0).left);
  EXPECT_FALSE(bytes.at(0).right.empty());
}

TEST(PairPolicy, ThirdPlaneIsDerivedOnlyWhereItIsWhatTheOthersAreNot) {
  EXPECT_FALSE(chosen("tensor", {.alphabet = 4, .instances = 5}).derived);
  EXPECT_FALSE(chosen("tensor", {.missing = true, .instances = 5}).derived);
  EXPECT_FALSE(chosen("tensor", {.metric = Metric::manhattan, .instances = 5}).derived);
  EXPECT_FALSE(chosen("dp4a", {.instances = 5}).derived);
}

TEST(Encoding, EstimatedSizesAreThoseOfTheEncodedPasses) {
  constexpr u64 kCount = 3;
  ThreadPool pool(1);
  std::set<std::size_t> passes;
  for (const TileVariant& variant : tile_variants())
    for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean})
      for (const u32 alphabet : {1u, 2u, 3u, 9u, 20u})
        for (const u32 missing : {0u, 300u})
          for (const u64 attributes : {1u, 130u, 4000u}) {
            const Instances instances = testing::instances_of(kCount, attributes, alphabet, missing);
            const PairShape shape{.metric = metric,
                                  .alphabet = alphabet,
                                  .missing = instances.has_missing(),
                                  .instances = kCount};
            if (!why_not(variant, shape).empty()) continue;
            const TilePolicy policy = variant.choose(variant.space().complete({}), shape);
            std::vector<PassSizes> sizes;
            for (const EncodedPass& pass : encode(policy, instances, metric, pool))
              sizes.push_back({pass.row_pieces, !pass.right.empty(), !pass.norms.empty()});
            EXPECT_EQ(pass_sizes(policy, known_data(instances, metric)), sizes)
                << variant.name << ", metric " << static_cast<u32>(metric) << ", " << alphabet << " symbols, "
                << attributes << " attributes" << (shape.missing ? ", some missing" : "");
            passes.insert(sizes.size());
          }
  EXPECT_EQ(passes, (std::set<std::size_t>{1, 2}));
}

TEST(Encoding, MissingValuesTakeAPassThatCountsWhatIsCompared) {
  ThreadPool pool(1, false);
  const Instances instances = testing::instances_of(5, 100, 3, 200);
  for (const char* name : {"tensor", "dp4a"}) {
    const auto passes =
        encode(chosen(name, {.missing = true, .instances = 5}), instances, Metric::hamming, pool);
    ASSERT_EQ(passes.size(), 2u);
    EXPECT_TRUE(passes[0].makes_compared);
    EXPECT_TRUE(passes[1].takes_compared);
  }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
