#include "runtime/simd/simd_target.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hwy/targets.h"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq {
namespace {

TEST(SimdTarget, NamesAreThoseOfTheAxis) {
  EXPECT_EQ(parse_simd_target("best"), SimdTarget::best);
  EXPECT_EQ(parse_simd_target("avx2"), SimdTarget::avx2);
  EXPECT_THROW(parse_simd_target("avx1024"), UsageError);
}

TEST(SimdTarget, TheFirstThatTheProcessorHasIsTheBest) {
  const std::int64_t has = hwy::SupportedTargets() & -hwy::SupportedTargets();
  EXPECT_EQ(choose_simd_target(std::vector<std::int64_t>{0, has, has}, SimdTarget::best), 1u);
}

TEST(SimdTarget, TargetsThatATestSetsAreSeenAndForgotten) {
  const bool avx2 = has_simd_target(HWY_AVX2);
  hwy::SetSupportedTargetsForTest(HWY_SSE4);
  EXPECT_TRUE(has_simd_target(HWY_SSE4));
  EXPECT_FALSE(has_simd_target(HWY_AVX2));
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_EQ(has_simd_target(HWY_AVX2), avx2);
}

TEST(SimdTarget, WhatIsMissingIsNamedWithWhatIsOffered) {
  expect_error_text<ResourceError>([] { choose_simd_target({}, SimdTarget::avx512); });
}

}  // namespace
}  // namespace gpuseq
