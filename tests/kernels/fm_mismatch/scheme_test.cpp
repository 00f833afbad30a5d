#include "kernels/fm_mismatch/data/scheme.cuh"

#include <gtest/gtest.h>

#include <array>

namespace gpuseq::fm_mismatch {
namespace {

using OfParts = std::array<u32, kMostMismatches + 1>;

/// Every way in which up to so many mismatches fall on the parts of a query.
std::vector<OfParts> ways(u32 mismatches) {
  std::vector<OfParts> all;
  for (u32 a = 0; a <= mismatches; ++a)
    for (u32 b = 0; a + b <= mismatches; ++b)
      for (u32 c = 0; a + b + c <= mismatches && (c == 0 || mismatches > 1); ++c) all.push_back({a, b, c});
  return all;
}

TEST(MismatchScheme, EveryWayIsOfOneSearch) {
  for (u32 mismatches = 0; mismatches <= kMostMismatches; ++mismatches)
    for (const OfParts& way : ways(mismatches)) {
      u32 searches = 0;
      for (u32 number = 0; number < searches_of(mismatches); ++number) {
        bool of_this = true;
        for (u32 i = 0; i < parts_of(mismatches); ++i) {
          const Step step = step_of(mismatches, number, i);
          of_this = of_this && way[step.part] >= step.least && way[step.part] <= step.most;
        }
        searches += of_this ? 1 : 0;
      }
      EXPECT_EQ(searches, 1u) << mismatches << ": " << way[0] << way[1] << way[2];
    }
}

TEST(MismatchScheme, WhatIsMatchedStaysInOnePiece) {
  for (u32 mismatches = 0; mismatches <= kMostMismatches; ++mismatches)
    for (u32 number = 0; number < searches_of(mismatches); ++number) {
      const Step first = step_of(mismatches, number, 0);
      EXPECT_EQ(first.most, 0u);  // of all bases at once there would be too much to try
      u32 begin = first.part, end = first.part + 1;
      for (u32 i = 1; i < parts_of(mismatches); ++i) {
        const Step step = step_of(mismatches, number, i);
        EXPECT_EQ(step.part, step.leftwards ? --begin : end++) << mismatches << " " << number << " " << i;
        EXPECT_TRUE(step.leftwards || begin == 0);  // by which searches.cuh tells the place of a base
      }
      EXPECT_EQ(end - begin, parts_of(mismatches));
    }
}

TEST(MismatchScheme, PartsAreAsLongAsEachOtherButForABase) {
  for (u32 mismatches = 0; mismatches <= kMostMismatches; ++mismatches)
    for (const u32 bases : {0u, 1u, 2u, 7u, 100u, (1u << 28) - 1}) {
      EXPECT_EQ(part_begin(mismatches, bases, 0), 0u);
      EXPECT_EQ(part_begin(mismatches, bases, parts_of(mismatches)), bases);
      for (u32 part = 0; part < parts_of(mismatches); ++part)
        EXPECT_NEAR(part_begin(mismatches, bases, part + 1) - part_begin(mismatches, bases, part),
                    static_cast<double>(bases) / parts_of(mismatches), 1);
    }
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
