#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/cpu_axes_text.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::fm_index {
namespace {

using namespace std::string_literals;

const Variant& variant(const std::vector<Variant>& variants, const std::string& name) {
  return *std::find_if(variants.begin(), variants.end(),
                       [&](const Variant& one) { return one.name == name; });
}

std::unique_ptr<FmProblem> small_problem(std::int64_t occurring_percent) {
  return load_problem({.point = Point({{"reference", "random"s},
                                       {"reference_bases", 3000},
                                       {"query_count", 300},
                                       {"query_bases", 37},
                                       {"occurring_percent", occurring_percent}}),
                       .files = {},
                       .seed = 3,
                       .cache_dir = {},
                       .threads = 1});
}

/// The points of a variant with few values for the axes that change speed only.
std::vector<Point> small_space(const Variant& variant) {
  std::map<std::string, std::vector<AxisValue>> values;
  for (const Axis& axis : variant.space.axes()) values[axis.name] = axis.values;
  if (values.contains("prefix_symbols")) values["prefix_symbols"] = {0, 8};
  values["threads"] = {1};
  if (values.contains("queries_in_flight")) values["queries_in_flight"] = {1, 32};
  if (values.contains("prefetch_to")) values["prefetch_to"] = {"l2"s};
  return variant.space.points(values);
}

TEST(CpuVariants, EveryVariantAtEveryPointAgreesWithTheOracle) {
  CpuDevice device;
  const auto problem = small_problem(60);
  std::size_t supported = 0;
  for (const Variant& one : cpu_variants()) {
    std::vector<Point> points = small_space(one);
    const char* second = one.space.find("d") != nullptr            ? "d"
                         : one.space.find("line_bytes") != nullptr ? "line_bytes"
                         : one.space.find("row_bytes") != nullptr  ? "row_bytes"
                                                                   : "k";
    std::stable_sort(points.begin(), points.end(), [second](const Point& a, const Point& b) {
      return std::pair(a.integer("k"), a.integer(second)) < std::pair(b.integer("k"), b.integer(second));
    });
    for (const Point& point : points) {
      try {
        const Verification verification = prepare_as<SearchSession>(*problem, one, point, device)->verify();
        EXPECT_TRUE(verification.passed)
            << one.name << " " << point.to_string() << ": " << verification.reason;
        EXPECT_EQ(verification.checked, 300u);
        ++supported;
      } catch (const ResourceError& error) {
        EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr("is unsupported: this processor"),
                                                 testing::HasSubstr("GPUSEQ_ALL_SHAPES"),
                                                 testing::HasSubstr("the reference has 3000")));
      }
    }
  }
  EXPECT_GT(supported, 0u);
}

TEST(CpuVariants, AxesListTheSameValuesInEveryBuild) {
  expect_text(axes_lines(cpu_variants()));
}

TEST(CpuVariants, SeveralThreadsFindWhatOneFinds) {
  CpuDevice device;
  const auto problem = small_problem(100);
  for (const Variant& one : cpu_variants()) {
    for (std::int64_t threads : {0, 3}) {
      const auto session = prepare_as<SearchSession>(*problem, one, Point({{"threads", threads}}), device);
      session->launch();
      session->launch();
      EXPECT_TRUE(session->verify().passed) << one.name;
    }
  }
}

TEST(CpuVariants, ARecordCanSayWhichInstructionsRan) {
  CpuDevice device;
  const auto problem = small_problem(100);
  const auto variants = cpu_variants();
  const auto session =
      prepare_as<SearchSession>(*problem, variant(variants, "simd"), Point({{"threads", 1}}), device);
  EXPECT_FALSE(session->facts().at("highway_target").get<std::string>().empty());
  EXPECT_EQ(session->facts().at("threads"), 1);
  EXPECT_EQ(session->work().amount, 300.0 * 37);
}

TEST(CpuVariants, PsiSaysWhyAShortTextHasNoLongWords) {
  CpuDevice device;
  const auto problem = small_problem(100);
  const auto variants = cpu_variants();
  const auto prepare = [&](std::int64_t k) {
    return prepare_as<SearchSession>(*problem, variant(variants, "psi_lines_simd"), Point({{"k", k}}),
                                     device);
  };
  EXPECT_EQ(prepare(8)->facts().at("layout"), "psi_lines");
  EXPECT_THROW(prepare(9), ResourceError);
}

TEST(CpuVariants, OpenAxesTakeWhatTheySayAndNothingElse) {
  const auto variants = cpu_variants();
  const SearchSpace& space = variant(variants, "simd").space;
  EXPECT_NO_THROW(space.complete(Point({{"d", 320}, {"queries_in_flight", 48}, {"prefix_symbols", 14}})));
  EXPECT_THROW(space.complete(Point({{"d", 100}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"d", 8192}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"prefix_symbols", 15}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"queries_in_flight", 0}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"target", "avx"s}})), UsageError);
  EXPECT_THROW(variant(variants, "one_hot_simd").space.complete(Point({{"d", 64}})), UsageError);
}

}  // namespace
}  // namespace gpuseq::fm_index
