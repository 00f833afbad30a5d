#include <gtest/gtest.h>

#include <set>

#include "kernels/fm_locate/cuda/policy.hpp"
#include "kernels/fm_locate/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_locate/cuda_policies.hpp"

namespace gpuseq::fm_locate {
namespace {

const SearchSpace& space() {
  static const SearchSpace of_walk = cuda_variants().front().space;
  return of_walk;
}

std::string why_refused(const Point& point) {
  try {
    space().complete(point);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(LocatePolicy, APointBecomesItsPolicy) {
  const auto name = [](const char* point) {
    return locate_kernels().name(walk_point(space().complete(Point::parse(point))).policy);
  };
  EXPECT_EQ(name("sa_rate=8"), "fm_locate_text_t128_w256_streamed");
  EXPECT_EQ(name("sa_rate=8,sa_sampling=rows,threads_per_block=64,walks_of_warp=32,line_loads=cached"),
            "fm_locate_rows_t64_w32_cached");
  EXPECT_EQ(name("sa_rate=1"), "fm_locate_rows_t128_w256_streamed");  // nothing is marked
}

TEST(LocatePolicy, TheDefaultsOfBothOrdersAreCompiledAheadOfTime) {
  for (const char* point :
       {"compiled_by=nvcc", "compiled_by=nvcc,sa_sampling=rows", "compiled_by=nvcc,sa_rate=1"}) {
    const Point complete = space().complete(Point::parse(point));
    EXPECT_TRUE(locate_kernels().is_ahead_of_time(walk_point(complete).policy)) << point;
    EXPECT_TRUE(cuda_variants().front().sources(complete, {}).empty()) << point;
  }
  expect_text(why_refused({{"compiled_by", "nvcc"}, {"walks_of_warp", 64}}));
}

TEST(LocatePolicy, NamesAreUniqueAndAllAreOfAnAxis) {
  std::set<std::string> names, of_axes;
  for (const Policy& policy : testing::all_policies()) names.insert(locate_kernels().name(policy));
  EXPECT_EQ(names.size(), testing::all_policies().size());
  for (const Point& point : space().points({{"sa_rate", {1, 2}},
                                            {"sa_sampling", {"text", "rows"}},
                                            {"threads_per_block", space().find("threads_per_block")->values},
                                            {"walks_of_warp", space().find("walks_of_warp")->values},
                                            {"line_loads", space().find("line_loads")->values}}))
    of_axes.insert(locate_kernels().name(walk_point(point).policy));
  EXPECT_EQ(names, of_axes);
}

TEST(LocatePolicy, SharedMemoryHoldsTheRowsOfEveryWarp) {
  EXPECT_EQ((Policy{.threads_per_block = 128, .walks_of_warp = 256}.shared_bytes()), 4096u);
  for (const Policy& policy : testing::all_policies()) EXPECT_LE(policy.shared_bytes(), 48u * 1024);
}

TEST(LocatePolicy, ItsSourcesAreOfItsOwnFolder) {
  const auto sources = cuda_variants().front().sources(space().complete({}), {});
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_TRUE(sources.front().headers.contains("kernels/fm_locate/cuda/walk.cuh"));
  EXPECT_TRUE(sources.front().headers.contains("kernels/fm_locate/data/line.cuh"));
  EXPECT_NE(sources.front().text.find(sources.front().name), std::string::npos);
}

}  // namespace
}  // namespace gpuseq::fm_locate
