#include <gtest/gtest.h>

#include "kernels/papara/cuda/scorer.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/kernels/papara/cuda_points.hpp"
#include "tests/kernels/papara/cuda_problems.hpp"

// Tests that need a GPU: every variant's kernels against the oracle, and sessions as the program runs them.

namespace gpuseq::papara {
namespace {

using cuda::CudaDevice;

class CudaGpu : public ::testing::TestWithParam<std::pair<std::string, Scheme>> {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<CudaDevice>(0);
    const std::vector<Variant> variants = cuda_variants();
    variant = *std::find_if(variants.begin(), variants.end(),
                            [](const Variant& other) { return other.name == GetParam().first; });
  }

  /// Every score of a problem at a point, compared with the oracle's.
  void expect_oracle(const testing::SmallProblem& small, const Point& point) {
    const auto problem = make_problem(small.references, small.queries, small.penalties);
    std::unique_ptr<ScoringSession> session;
    try {
      session = prepare_as<ScoringSession>(*problem, variant, point, *device);
    } catch (const ResourceError&) {
      ++refused;
      return;
    }
    ++scored;
    const std::vector<i32>& scores = session->scores();
    device->synchronize();
    const u32 references = small.references.count;
    for (u32 query = 0; query < small.queries.count(); ++query)
      for (u32 reference = 0; reference < references; ++reference)
        ASSERT_EQ(scores[query * references + reference], testing::expected_score(small, query, reference))
            << small.name << ", query " << query << ", reference " << reference << ", " << point.to_string();
  }

  std::unique_ptr<CudaDevice> device;
  Variant variant;
  int scored = 0, refused = 0;
};

TEST_P(CudaGpu, EveryValueOfEveryAxisMakesTheOraclesScores) {
  const std::vector<testing::SmallProblem> problems = testing::small_problems();
  const std::vector<Point> points = testing::covering_points(variant.space);
  for (const Point& point : points)
    for (const testing::SmallProblem& problem : problems)
      ASSERT_NO_FATAL_FAILURE(expect_oracle(problem, point));
  EXPECT_GT(scored, 10 * refused);
}

TEST_P(CudaGpu, AminoAcidsHaveTheOraclesScoresAtEveryPointThatHasThem) {
  const std::vector<testing::SmallProblem> problems = testing::small_problems(Alphabet::protein);
  for (const Point& point : testing::covering_points(variant.space))
    for (const testing::SmallProblem& problem : problems)
      ASSERT_NO_FATAL_FAILURE(expect_oracle(problem, point));
  EXPECT_GT(scored, 0);
}

TEST_P(CudaGpu, KernelsCompiledAheadOfTimeMakeTheSameScores) {
  const Point point = variant.space.complete({{"compiled_by", std::string("nvcc")}});
  for (const testing::SmallProblem& problem : testing::small_problems())
    ASSERT_NO_FATAL_FAILURE(expect_oracle(problem, point));
}

TEST_P(CudaGpu, PiecesOfReferencesAndQueriesMakeTheSameScores) {
  const testing::SmallProblem problem =
      testing::random_problem("pieces", 201, 130, std::vector<u32>(37, 50), 20);
  for (const std::int64_t references : {1, 64, 100})
    for (const std::int64_t queries : {1, 5, 36, 1000})
      ASSERT_NO_FATAL_FAILURE(expect_oracle(
          problem,
          variant.space.complete({{"references_per_launch", references}, {"queries_per_launch", queries}})));
}

TEST_P(CudaGpu, AScorerDoesThePairsThatItIsAskedForAndNoOthers) {
  const testing::SmallProblem small =
      testing::random_problem("ranges", 200, 80, {80, 10, 60, 7, 33, 33, 1}, 21);
  const auto problem = make_problem(small.references, small.queries, small.penalties);
  const ScorePoint at = score_point(GetParam().second, variant.space.complete({}));
  const auto scorer = std::make_unique<GpuScorer>(*problem, at, *device);
  const u32 unit = scorer->reference_unit();
  const std::vector<Rectangle> parts{{{2, 5}, {0, 200}},    {{0, 1}, {unit, 2 * unit}},
                                     {{5, 5}, {0, 200}},    {{2, 3}, {0, 2 * unit}},
                                     {{6, 7}, {unit, 200}}, {{1, 2}, {unit, unit}}};
  std::vector<i32> scores(7 * 200, -7);
  std::vector<bool> asked(scores.size());
  for (const Rectangle& part : parts) {
    scorer->enqueue(part);
    scorer->wait();
    scorer->download(part, scores.data());
    for (u32 query = part.queries.begin; query < part.queries.end; ++query)
      for (u32 reference = part.references.begin; reference < part.references.end; ++reference)
        asked[query * 200 + reference] = true;
  }
  for (u32 query = 0; query < 7; ++query)
    for (u32 reference = 0; reference < 200; ++reference)
      EXPECT_EQ(scores[query * 200 + reference],
                asked[query * 200 + reference] ? testing::expected_score(small, query, reference) : -7)
          << query << ", " << reference;
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, CudaGpu,
                         ::testing::Values(std::pair("row_wise_global", Scheme::row_wise_global),
                                           std::pair("blocked_shared", Scheme::blocked_shared),
                                           std::pair("blocked_registers", Scheme::blocked_registers)),
                         [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace gpuseq::papara
