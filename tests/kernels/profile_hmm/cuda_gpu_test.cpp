#include <gtest/gtest.h>

#include "cpu_problems.hpp"
#include "cuda_points.hpp"
#include "runtime/cuda/cuda.hpp"

// Tests that need a GPU: every variant's kernels against the oracle, and sessions as the program runs them.

namespace gpuseq::profile_hmm {
namespace {

using cuda::CudaDevice;

class CudaGpu : public ::testing::TestWithParam<std::tuple<std::string, Filter>> {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<CudaDevice>(0);
    for (const Variant& candidate : cuda_variants())
      if (candidate.name == std::get<0>(GetParam())) variant = candidate;
  }

  /// Every score at a point, twice launched, compared with the oracle's.
  void expect_oracle(FilterProblem& problem, const std::vector<RawScore>& expected, const Point& point) {
    std::unique_ptr<FilterSession> session;
    try {
      session = prepare_as<FilterSession>(problem, variant, point, *device);
    } catch (const ResourceError&) {
      ++refused;
      return;
    }
    ++scored;
    session->launch();
    session->launch();
    const std::vector<RawScore> scores = session->scores();
    for (u64 i = 0; i < expected.size(); ++i)
      ASSERT_EQ(scores[i], expected[i]) << "sequence " << i << " of " << problem.sequences().length(i)
                                        << " residues, " << point.to_string();
  }

  void expect_oracle_at(u32 length, const std::vector<Point>& points) {
    const Model model = testing::sharp_model(length, length);
    const auto sequences = testing::mixed_sequences(model, length);
    const auto problem = make_problem(model, sequences, std::get<1>(GetParam()));
    const std::vector<RawScore> expected = testing::oracle_scores_of(*problem);
    for (const Point& point : points) ASSERT_NO_FATAL_FAILURE(expect_oracle(*problem, expected, point));
  }

  std::unique_ptr<CudaDevice> device;
  Variant variant;
  int scored = 0, refused = 0;
};

TEST_P(CudaGpu, EveryValueOfEveryAxisMakesTheOraclesScores) {
  expect_oracle_at(100, testing::covering_points(variant.space));
  EXPECT_GT(scored, refused);
}

TEST_P(CudaGpu, ModelsOfEveryLengthMakeTheOraclesScores) {
  for (const u32 length : {1u, 2u, 63u, 64u, 65u, 400u, 449u, 900u, 2405u, 5000u})
    ASSERT_NO_FATAL_FAILURE(expect_oracle_at(length, {variant.space.complete({})}));
}

TEST_P(CudaGpu, ThePapersKernelMakesTheOraclesScoresOfModelsOfEveryLength) {
  if (variant.space.find("assignment") == nullptr) GTEST_SKIP() << "has no axes of what is published";
  for (const u32 length : {1u, 2u, 63u, 64u, 65u, 128u, 400u, 900u, 2405u})
    for (const char* stripes : {"constant", "variable"})
      ASSERT_NO_FATAL_FAILURE(
          expect_oracle_at(length, {variant.space.complete(testing::published_point(stripes, "nvrtc"))}));
  EXPECT_EQ(refused, 0);
}

TEST_P(CudaGpu, KernelsCompiledAheadOfTimeMakeTheSameScores) {
  const Point ahead{{"compiled_by", std::string("nvcc")}, {"stripes", std::string("variable")}};
  std::vector<Point> points{variant.space.complete(ahead)};
  if (variant.space.find("assignment") != nullptr)
    points.push_back(variant.space.complete(testing::published_point("variable", "nvcc")));
  for (const u32 length : {3u, 100u, 900u}) ASSERT_NO_FATAL_FAILURE(expect_oracle_at(length, points));
  EXPECT_EQ(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, CudaGpu,
                         ::testing::Combine(::testing::Values("video_warp", "lane_groups"),
                                            ::testing::Values(Filter::ssv, Filter::msv, Filter::viterbi)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" +
                                  std::string(kFilterNames[std::get<1>(info.param)]);
                         });

}  // namespace
}  // namespace gpuseq::profile_hmm
