#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/fm_mismatch/cuda/policy.hpp"
#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_mismatch/cuda_policies.hpp"

namespace gpuseq::fm_mismatch {
namespace {

using ::testing::HasSubstr;

const SearchSpace& space() {
  static const SearchSpace of_search = cuda_variants().front().space;
  return of_search;
}

std::string why_refused(const Point& point) {
  try {
    space().complete(point);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(MismatchPolicy, APointBecomesItsPolicy) {
  const auto name = [](const char* point, u32 mismatches) {
    return search_kernels().name(policy_of(space().complete(Point::parse(point)), mismatches));
  };
  EXPECT_EQ(name("", 2), "fm_mismatch_m2_t128_q128_cached");
  EXPECT_EQ(name("threads_per_block=64,queries_of_warp=32,line_loads=streamed", 0),
            "fm_mismatch_m0_t64_q32_streamed");
  EXPECT_EQ(name("prefix_symbols=12", 2), name("", 2));  // whatever table a launch is given
}

TEST(MismatchPolicy, TheDefaultIsCompiledAheadOfTimeForAnyMismatches) {
  const Point complete = space().complete({{"compiled_by", "nvcc"}});
  for (const u32 mismatches : {0u, 1u, 2u})
    EXPECT_TRUE(search_kernels().is_ahead_of_time(policy_of(complete, mismatches)));
  EXPECT_EQ(why_refused({{"compiled_by", "nvcc"}, {"prefix_symbols", 8}}), "");
  EXPECT_TRUE(cuda_variants().front().sources(complete, problem_space().complete({})).empty());
  expect_text(why_refused({{"compiled_by", "nvcc"}, {"queries_of_warp", 64}}));
}

TEST(MismatchPolicy, NamesAreUniqueAndAllAreOfAnAxis) {
  std::set<std::string> names, of_axes;
  for (const Policy& policy : testing::all_policies()) names.insert(search_kernels().name(policy));
  EXPECT_EQ(names.size(), testing::all_policies().size());
  for (const Point& point : space().points({{"threads_per_block", space().find("threads_per_block")->values},
                                            {"queries_of_warp", space().find("queries_of_warp")->values},
                                            {"line_loads", space().find("line_loads")->values}}))
    for (const u32 mismatches : {0u, 1u, 2u})
      of_axes.insert(search_kernels().name(policy_of(point, mismatches)));
  EXPECT_EQ(names, of_axes);
}

TEST(MismatchPolicy, SharedMemoryHoldsTheNodesThatWait) {
  EXPECT_EQ((Policy{.mismatches = 2, .threads_per_block = 128}.shared_bytes()), 128u * 6 * 16);
  for (const Policy& policy : testing::all_policies()) EXPECT_LE(policy.shared_bytes(), 48u * 1024);
}

TEST(MismatchPolicy, ItsSourcesAreOfItsOwnFolderAndOfTheProblemsMismatches) {
  const auto sources =
      cuda_variants().front().sources(space().complete({}), problem_space().complete({{"mismatches", 1}}));
  ASSERT_EQ(sources.size(), 1u);
  for (const char* header : {"cuda/search.cuh", "data/line.cuh", "data/scheme.cuh", "data/searches.cuh"})
    EXPECT_TRUE(sources.front().headers.contains(std::string("kernels/fm_mismatch/") + header)) << header;
  EXPECT_EQ(sources.front().name, "fm_mismatch_m1_t128_q128_cached");
  EXPECT_THAT(sources.front().text, HasSubstr(sources.front().name));
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
