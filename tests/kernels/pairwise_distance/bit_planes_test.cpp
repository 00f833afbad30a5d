#include "kernels/pairwise_distance/data/bit_planes.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/pairwise_distance/small_instances.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using testing::some_instances;

bool bit(const BitPlanes& planes, u64 instance, u32 plane, u64 attribute) {
  return (planes.row(instance, plane)[attribute / 64] >> (attribute % 64) & 1) != 0;
}

/// Shapes around the ends of words, alphabets around powers of two.
template <typename Check>
void for_each_shape(Check check) {
  for (const u64 attributes : {1u, 63u, 64u, 65u, 200u, 512u})
    for (const u32 alphabet : {1u, 2u, 3u, 4u, 5u, 256u})
      for (const u64 align : {1u, 8u})
        for (const u32 missing : {0u, 300u}) check(some_instances(5, attributes, alphabet, missing), align);
}

void expect_zeros_behind(const BitPlanes& planes, u64 attributes) {
  for (u64 i = 0; i < planes.count; ++i)
    for (u32 plane = 0; plane < planes.planes; ++plane)
      for (u64 k = attributes; k < planes.row_words * 64; ++k) EXPECT_FALSE(bit(planes, i, plane, k));
}

void expect_shape(const BitPlanes& planes, const Instances& instances, u64 align) {
  EXPECT_EQ(planes.count, instances.count);
  EXPECT_EQ(planes.row_words % align, 0u);
  EXPECT_GE(planes.row_words * 64, instances.attributes);
  EXPECT_LT(planes.row_words * 64, instances.attributes + 64 * align);
  ASSERT_EQ(planes.words.size(), planes.count * planes.planes * planes.row_words);
  expect_zeros_behind(planes, instances.attributes);
}

TEST(PairwiseDistanceBitPlanes, BinaryPlanesHoldTheDigitsOfEveryValue) {
  for_each_shape([](const Instances& instances, u64 align) {
    const BitPlanes planes = binary_planes(instances, align);
    expect_shape(planes, instances, align);
    EXPECT_GE(u64{1} << planes.planes, instances.alphabet);
    EXPECT_LE(planes.planes, instances.alphabet);
    for (u64 i = 0; i < instances.count; ++i)
      for (u64 k = 0; k < instances.attributes; ++k) {
        u32 code = 0;
        for (u32 plane = 0; plane < planes.planes; ++plane)
          code |= static_cast<u32>(bit(planes, i, plane, k)) << plane;
        EXPECT_EQ(code, instances.is_missing(i, k) ? 0 : instances.row(i)[k]);
      }
  });
}

TEST(PairwiseDistanceBitPlanes, ThePresentPlaneSaysWhereValuesAre) {
  for_each_shape([](const Instances& instances, u64 align) {
    const BitPlanes planes = present_plane(instances, align);
    expect_shape(planes, instances, align);
    EXPECT_EQ(planes.planes, 1u);
    for (u64 i = 0; i < instances.count; ++i)
      for (u64 k = 0; k < instances.attributes; ++k)
        EXPECT_EQ(bit(planes, i, 0, k), !instances.is_missing(i, k));
  });
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
