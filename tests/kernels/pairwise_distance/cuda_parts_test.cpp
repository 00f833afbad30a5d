#include <gtest/gtest.h>

#include <algorithm>

#include "cuda_instances.hpp"
#include "cuda_points.hpp"
#include "kernels/pairwise_distance/cuda/parts.hpp"
#include "tests/golden_text.hpp"

// How data are divided that a device's memory does not hold.

namespace gpuseq::pairwise_distance {
namespace {

TilePolicy chosen(const char* name, const PairShape& shape, const Point& point = {}) {
  const TileVariant& variant = testing::tile_variant(name);
  return variant.choose(variant.space().complete(point), shape);
}
TilePolicy of_all_pairs(const char* name, const PairShape& shape) {
  TilePolicy policy = chosen(name, shape);
  policy.half = false;
  return policy;
}
u64 unit_of(const TilePolicy& policy) {
  return std::max(policy.block_rows(), policy.block_columns());
}

u64 parts_of(u64 all, u64 size) {
  return (all + size - 1) / size;
}
/// The least size, in units, that makes one part less; of one part its own.
u64 one_part_less(u64 all, u64 size, u64 unit) {
  const u64 parts = std::max<u64>(parts_of(all, size) - 1, 1);
  return rounded(parts_of(all, parts), unit);
}

/// With 64 MiB there were 1920, 1920 and 256 instances, by 1024 attributes.
TEST(Parts, AreEven) {
  const TilePolicy policy = of_all_pairs("float_tiled", {.metric = Metric::euclidean, .instances = 4096});
  const KnownData real{.metric = Metric::euclidean, .alphabet = 3, .instances = 4096, .attributes = 4096};
  EXPECT_EQ(choose_parts(policy, real, u64{64} << 20, 1'000'000),
            (PartSizes{.rows = 1408, .columns = 1408, .attributes = 2048}));
  EXPECT_EQ(choose_parts(policy, real, u64{64} << 20, 1300).rows, 1024u) << "in four, not 1280 and 256";
}

TEST(Parts, DifferByNoMoreThanRoundingAndKeepToTheMemory) {
  for (const char* name : {"register_tiled", "dp4a", "float_tiled", "tensor"})
    for (const u64 instances : {1u, 127u, 129u, 1500u, 4097u, 10'007u})
      for (const u64 attributes : {1u, 1025u, 5000u, 70'001u})
        for (const bool missing : {false, true})
          for (const u64 mib : {4u, 17u, 64u, 1000u})
            for (const u64 most_rows : {1u, 700u, 1'000'000u}) {
              const TilePolicy policy = of_all_pairs(name, {.missing = missing, .instances = instances});
              const u64 unit = unit_of(policy);
              const KnownData data{
                  .alphabet = 3, .missing = missing, .instances = instances, .attributes = attributes};
              const PartSizes sizes = choose_parts(policy, data, mib << 20, most_rows);
              EXPECT_LE(part_memory(policy, data, sizes).bytes(), mib << 20) << name;
              EXPECT_LE(sizes.rows, std::max(unit, most_rows)) << name;
              // No smaller size makes as many parts.
              const auto expect_even = [&](u64 all, u64 size, u64 step) {
                EXPECT_EQ(size % step, 0u) << name;
                EXPECT_EQ(size, rounded(parts_of(all, parts_of(all, size)), step)) << name << ", " << all;
              };
              expect_even(instances, sizes.rows, unit);
              expect_even(instances, sizes.columns, unit);
              expect_even(attributes, sizes.attributes, 1024);
            }
}

TEST(Parts, AreAsLargeAsMemoryHoldsAndOfFewerAttributesWhereTheyWouldBeSmall) {
  for (const char* name : {"register_tiled", "dp4a", "float_tiled", "tensor"})
    for (const u64 attributes : {100u, 100'000u, 10'000'000u})
      for (const u64 bytes : {u64{4} << 20, u64{1} << 30, u64{64} << 30}) {
        const TilePolicy policy = of_all_pairs(name, {.instances = 100'000});
        const KnownData data{.alphabet = 3, .instances = 100'000, .attributes = attributes};
        const PartSizes sizes = choose_parts(policy, data, bytes, 1'000'000);
        EXPECT_LE(part_memory(policy, data, sizes).bytes(), bytes) << name;
        EXPECT_EQ(sizes.rows % policy.block_rows() + sizes.columns % policy.block_columns(), 0u) << name;
        EXPECT_EQ(sizes.attributes % 1024, 0u);
        // One part less along a side, or of attributes, does not fit.
        const u64 unit = unit_of(policy);
        EXPECT_EQ(sizes.rows, sizes.columns) << name;
        const auto fits = [&](u64 side, u64 of_attributes) {
          const PartSizes of{.rows = side, .columns = side, .attributes = of_attributes};
          return part_memory(policy, data, of).bytes() <= bytes;
        };
        EXPECT_FALSE(fits(one_part_less(data.instances, sizes.rows, unit), sizes.attributes) &&
                     sizes.rows < data.instances)
            << name;
        EXPECT_FALSE(fits(sizes.rows, one_part_less(attributes, sizes.attributes, 1024)) &&
                     sizes.attributes < attributes)
            << name;
        // The executed operations are those of all attributes at once.
        KnownData part = data, last = data;
        part.attributes = std::min(sizes.attributes, attributes);
        last.attributes = (attributes - 1) % sizes.attributes + 1;
        const u64 whole = row_pieces_of(policy, data).back();
        EXPECT_EQ((attributes - 1) / sizes.attributes * row_pieces_of(policy, part).back() +
                      row_pieces_of(policy, last).back(),
                  whole)
            << name;
      }
}

TEST(Parts, AreRefusedWhereMemoryDoesNotHoldTheSmallest) {
  const TilePolicy policy = of_all_pairs("float_tiled", {.instances = 5000});
  const KnownData data{.metric = Metric::euclidean, .alphabet = 3, .instances = 5000, .attributes = 5000};
  try {
    choose_parts(policy, data, 100'000, 5000);
    FAIL();
  } catch (const DoesNotFit& error) {
    expect_text(error.what());
  }
  EXPECT_EQ(choose_parts(policy, data, u64{1} << 30, 200).rows, 128u);
}

TEST(Parts, OfAPointAreOfAllPairs) {
  EXPECT_TRUE(chosen("float_tiled", {.instances = 5000}).half);
  EXPECT_FALSE(chosen("float_tiled", {.instances = 5000}, {{"memory_mib", 64}}).half);
}

TEST(Parts, OfAttributesHaveTheirValues) {
  const Instances all = testing::instances_of(4, 10, 3, 300), some = attributes_of(all, 7, 5);
  EXPECT_EQ(some.attributes, 3u);
  for (u64 i = 0; i < 4; ++i)
    for (u64 k = 0; k < 3; ++k) {
      EXPECT_EQ(some.row(i)[k], all.row(i)[7 + k]);
      EXPECT_EQ(some.is_missing(i, k), all.is_missing(i, 7 + k));
    }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
