#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cpu_problems.hpp"
#include "runtime/cpu_device.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::profile_hmm {
namespace {

using namespace std::string_literals;
using testing::amino_acids;
using testing::mixed_sequences;
using testing::oracle_scores_of;
using testing::sharp_model;

constexpr std::array kFilters{Filter::ssv, Filter::msv, Filter::viterbi};

/// The points of all variants with one thread, those that differ in an axis of another filter left out.
std::vector<std::pair<Variant, Point>> points_of(Filter filter) {
  std::vector<std::pair<Variant, Point>> points;
  for (const Variant& variant : cpu_variants()) {
    std::map<std::string, std::vector<AxisValue>> values;
    for (const Axis& axis : variant.space.axes()) values[axis.name] = axis.values;
    values["threads"] = {1};
    if (values.contains("target")) values["target"] = {"sse4"s, "avx2"s, "avx512"s, "best"s};
    if (values.contains("vectors")) values["vectors"] = {0, 1, 5};
    if (filter != Filter::msv) values["follow_j"] = {"where_used"s};
    if (filter == Filter::viterbi) values["vectors"] = {0};
    if (variant.name == "scalar") values = {{"threads", {1}}};
    for (const Point& point : variant.space.points(values)) points.emplace_back(variant, point);
  }
  return points;
}

/// Every variant at every point finds the oracle's scores. @returns how many did
int compare(FilterProblem& problem) {
  CpuDevice device;
  const std::vector<RawScore> expected = oracle_scores_of(problem);
  int equal = 0;
  for (const auto& [variant, point] : points_of(problem.filter())) {
    try {
      const std::vector<RawScore> found = prepare_cpu(problem, variant, point, device)->scores();
      EXPECT_EQ(found, expected) << variant.name << " " << point.to_string() << ", " << problem.model().length
                                 << " states, " << kFilterNames[static_cast<u32>(problem.filter())];
      ++equal;
    } catch (const ResourceError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("is unsupported"));
    }
    if (::testing::Test::HasFailure()) break;
  }
  return equal;
}

void compare_all_filters(const Model& model, const std::shared_ptr<const Sequences>& sequences) {
  for (const Filter filter : kFilters) EXPECT_GT(compare(*make_problem(model, sequences, filter)), 1);
}

TEST(CpuVariants, EveryVariantAtEveryPointFindsTheOraclesScores) {
  for (const u32 length : {1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 400}) {
    const Model model = sharp_model(length, length);
    compare_all_filters(model, mixed_sequences(model, length + 1));
    if (HasFailure()) return;
  }
}

TEST(CpuVariants, LongModels) {
  for (const u32 length : {800, 1200, 1664, 2405, 5000}) {
    const Model model = sharp_model(length, length);
    auto sequences = std::make_shared<Sequences>();
    Random random(length);
    sequences->append("one", std::vector<u8>{3});
    sequences->append("random", amino_acids(70, random));
    sequences->append("emitted", testing::emitted(model, random));
    compare_all_filters(model, sequences);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace gpuseq::profile_hmm
