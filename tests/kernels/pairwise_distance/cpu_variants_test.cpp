#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hwy/targets.h"
#include "runtime/contract/errors.hpp"
#include "runtime/simd/simd_target.hpp"
#include "runtime/system/cpu_device.hpp"
#include "small_instances.hpp"
#include "tests/cpu_axes_text.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using namespace std::string_literals;
using testing::brute_force;
using testing::some_instances;

constexpr std::array kMetrics{Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::ibs};

const Variant& variant(std::string_view name) {
  static const std::vector<Variant> all = cpu_variants();
  for (const Variant& one : all)
    if (one.name == name) return one;
  throw UsageError("no such variant");
}

/// A point and others that differ from it in one value: every value of every axis is in one of them.
std::vector<Point> one_axis_each(const Variant& variant) {
  std::vector<Point> points{variant.space.complete({})};
  if (points.front().has("threads")) points.front().set("threads", 1);  // others cost more than they compute
  for (const Axis& axis : variant.space.axes())
    for (const AxisValue& value : axis.values)
      if (value != points.front().at(axis.name)) {
        Point point = points.front();
        point.set(axis.name, value);
        points.push_back(point);
      }
  return points;
}

/// Metrics and targets that a variant or this processor lacks.
bool is_beyond(const std::string& reason) {
  return reason.find("no planes") != std::string::npos || reason.find("unsupported") != std::string::npos ||
         reason.find("GPUSEQ_ALL_SHAPES") != std::string::npos;
}

/// Every point's distances are those of the definition. @returns how many points have been compared
int compare(const Instances& instances, Metric metric, const Variant& variant,
            const std::vector<Point>& points) {
  CpuDevice device;
  const auto problem = make_problem(instances, metric);
  const Distances expected = brute_force(problem->instances(), metric);
  int compared = 0;
  for (const Point& point : points) {
    try {
      const auto session = prepare_as<DistanceSession>(*problem, variant, point, device);
      const Distances& found = session->distances();
      EXPECT_EQ(found.sum == expected.sum, true)
          << variant.name << " " << point.to_string() << ", " << instances.count << " x "
          << instances.attributes << " of " << instances.alphabet << ", metric " << static_cast<u32>(metric);
      EXPECT_EQ(found.compared == expected.compared, true) << variant.name << " " << point.to_string();
      ++compared;
    } catch (const ResourceError& error) {
      EXPECT_TRUE(is_beyond(error.what())) << error.what();
    }
    if (::testing::Test::HasFailure()) break;
  }
  return compared;
}

struct Shape {
  u64 count, attributes;
};
constexpr Shape kShapes[] = {{1, 1}, {1, 100}, {100, 1}, {3, 5}, {17, 63}, {33, 64}, {65, 513}, {130, 1000}};

bool is_problem(Metric metric, u32 alphabet) {
  return metric != Metric::ibs || alphabet == 3;
}

class CpuVariant : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Names, CpuVariant, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Variant& one : cpu_variants()) names.push_back(one.name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

TEST_P(CpuVariant, FindsTheDistancesOfTheDefinition) {
  const Variant& tested = variant(GetParam());
  std::vector<Point> points;
  for (const Axis& axis : tested.space.axes())
    if (axis.name == "target")
      for (const std::string target : {"sse4", "avx2", "avx512"})
        points.push_back({{"target", target}, {"threads", 1}});
  if (points.empty()) points.push_back({});
  for (const Shape& shape : kShapes)
    for (const u32 alphabet : {2, 3, 4, 20, 256})
      for (const u32 missing : {0, 100, 1000})
        for (const Metric metric : kMetrics) {
          const bool all = shape.count == 65 || shape.count == 33;
          if (!is_problem(metric, alphabet) || (!all && alphabet != 3 && alphabet != 20)) continue;
          const int compared =
              compare(some_instances(shape.count, shape.attributes, alphabet, missing, alphabet + missing),
                      metric, tested, all ? points : std::vector<Point>{{}});
          if (metric == Metric::hamming || alphabet <= 3) {
            EXPECT_GE(compared, 1);
          }
          if (HasFailure()) return;
        }
}

TEST_P(CpuVariant, FindsThemWithEveryValueOfEveryAxis) {
  const Variant& tested = variant(GetParam());
  const std::vector<Point> points = one_axis_each(tested);
  for (const Shape& shape : {Shape{130, 1000}, Shape{37, 5000}})
    for (const u32 alphabet : {3, 20})
      for (const u32 missing : {0, 50})
        for (const Metric metric : kMetrics) {
          if (!is_problem(metric, alphabet)) continue;
          compare(some_instances(shape.count, shape.attributes, alphabet, missing), metric, tested, points);
          if (HasFailure()) return;
        }
}

TEST_P(CpuVariant, FindsThemWithEveryTileOfEveryTarget) {
  const Variant& tested = variant(GetParam());
  std::map<std::string, std::vector<AxisValue>> values;
  for (const Axis& axis : tested.space.axes())
    if (axis.name == "target" || axis.name == "tile")
      values[axis.name] = axis.values;
    else if (axis.name == "block" && axis.values.size() > 1)
      values[axis.name] = {axis.values[1]};  // the smallest that is given
    else if (axis.name == "threads")
      values[axis.name] = {1};
  const std::vector<Point> points = tested.space.points(values);
  for (const u32 alphabet : {2, 3, 6, 9, 20, 40})
    for (const u32 missing : {0, 50})
      for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean}) {
        if (metric != Metric::hamming && alphabet != 3 && alphabet != 20) continue;
        compare(some_instances(71, 2111, alphabet, missing), metric, tested, points);
        if (HasFailure()) return;
      }
}

/// Distances as large as an alphabet allows: sums in bytes or halves overflow where they can.
TEST_P(CpuVariant, TheLargestDistances) {
  const Variant& tested = variant(GetParam());
  std::vector<Point> points{{}};
  if (tested.space.find("threads") != nullptr) points.push_back({{"threads", 3}});
  for (const u32 alphabet : {2, 3, 16, 17, 18, 255, 256})
    for (const bool missing : {false, true})
      for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean}) {
        Instances instances = some_instances(6, 40'000, alphabet);
        for (u64 i = 0; i < instances.codes.size(); ++i)
          instances.codes[i] = i / instances.attributes % 2 == 0 ? 0 : static_cast<u8>(alphabet - 1);
        if (missing) {
          instances.missing.assign(instances.codes.size(), 0);
          instances.missing[7] = 1;
        }
        compare(instances, metric, tested, points);
        if (HasFailure()) return;
      }
}

TEST_P(CpuVariant, LaunchesAgainFindTheSame) {
  CpuDevice device;
  const auto problem = make_problem(some_instances(90, 300, 3, 30), Metric::hamming);
  const auto session = prepare_as<DistanceSession>(*problem, variant(GetParam()), {}, device);
  session->launch();
  session->launch();
  const Verification verification = session->verify();
  EXPECT_TRUE(verification.passed) << verification.reason;
  EXPECT_EQ(session->distances(), brute_force(problem->instances(), Metric::hamming));
  EXPECT_DOUBLE_EQ(session->work().amount, 90.0 * 90 * 300);
}

/// A processor that has AVX-512, but none of its later parts.
TEST(CpuVariants, Avx512WithoutPopulationCountCountsByTable) {
  if (!has_simd_target(HWY_AVX3)) GTEST_SKIP() << "this processor has no AVX-512";
  hwy::SetSupportedTargetsForTest(HWY_AVX3);
  CpuDevice device;
  const Point point({{"target", "avx512"s}});
  for (const u32 missing : {0, 50})
    for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean})
      for (const auto* name : {"bytes", "bit_planes"}) {
        const Instances instances = some_instances(71, 5000, 3, missing);
        if (compare(instances, metric, variant(name), {point}) == 0) continue;  // not compiled
        const auto problem = make_problem(instances, metric);
        EXPECT_EQ(
            prepare_as<DistanceSession>(*problem, variant(name), point, device)->facts().at("highway_target"),
            "AVX3");
      }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(CpuVariants, PlanesAreRefusedWhereAMetricHasNone) {
  CpuDevice device;
  const auto problem = make_problem(some_instances(5, 9, 4), Metric::manhattan);
  expect_error_text<ResourceError>(
      [&] { prepare_as<DistanceSession>(*problem, variant("bit_planes"), {}, device); });
}

/// By every value of every axis, and every tile of every target, within the bound.
TEST(CpuVariants, FloatsFindRealDistances) {
  CpuDevice device;
  const Variant& floats = variant("floats");
  std::vector<Point> points = one_axis_each(floats);
  for (const AxisValue& target : floats.space.find("target")->values)
    for (const AxisValue& tile : floats.space.find("tile")->values) {
      points.push_back(floats.space.complete({{"threads", 1}}));
      points.back().set("target", target);
      points.back().set("tile", tile);
    }
  int compared = 0;
  for (const Shape& shape : {Shape{1, 1}, Shape{2, 15}, Shape{71, 2111}, Shape{130, 40}})
    for (const u32 missing : {0, 100, 1000}) {
      const auto problem =
          make_problem(testing::some_reals(shape.count, shape.attributes, missing), Metric::euclidean);
      for (const Point& point : points) try {
          const auto session = prepare_as<DistanceSession>(*problem, floats, point, device);
          const Verification verification = session->verify();
          EXPECT_TRUE(verification.passed) << point.to_string() << ": " << verification.reason;
          EXPECT_EQ(session->distances().real_at(0, shape.count - 1), 0) << "the last is the first's copy";
          ++compared;
        } catch (const ResourceError& error) {
          EXPECT_TRUE(is_beyond(error.what())) << error.what();
        }
    }
  EXPECT_GT(compared, 12 * 15);
}

/// The bands of a session that keeps to a limit, and the result of a launch from them.
TEST(CpuVariants, BandsAreTheRowsOfTheMatrix) {
  CpuDevice device;
  for (const u64 count : {5, 71, 200})
    for (const u32 missing : {0, 100})
      for (const char* name : {"bytes", "floats", "bit_planes"}) {
        const auto problem = make_problem(some_instances(count, 130, 3, missing), Metric::hamming);
        const Distances expected = brute_force(problem->instances(), Metric::hamming);
        for (const u64 rows : {32, 64, 100, 1000}) {
          const u64 row_bytes = count * (missing > 0 ? 8 : 4);
          problem->keep_to(std::min(rows, count) * row_bytes);
          const auto session = prepare_as<DistanceSession>(*problem, variant(name), {{"threads", 2}}, device);
          u64 next = 0;
          session->each_band([&](const DistanceBand& band) {
            EXPECT_EQ(band.first, next);
            EXPECT_EQ(band.count, count);
            EXPECT_LE(band.rows, rows);
            next += band.rows;
            const auto expect_rows = [&](std::span<const u32> found, const std::vector<u32>& all) {
              const u64 first = all.empty() ? 0 : band.first * count;
              const u64 entries = all.empty() ? 0 : band.rows * count;
              EXPECT_TRUE(std::ranges::equal(found, std::span(all).subspan(first, entries)));
            };
            expect_rows(band.sum, expected.sum);
            expect_rows(band.compared, expected.compared);
          });
          EXPECT_EQ(next, count);
          const Verification verification = session->verify();
          EXPECT_TRUE(verification.passed) << verification.reason;
        }
        if (count < 32) continue;
        problem->keep_to(1000);
        EXPECT_THROW(prepare_as<DistanceSession>(*problem, variant(name), {}, device), DoesNotFit);
      }
}

/// Whole and in bands, of more pairs than a thread copies at a time; instances of several blocks and a rest.
TEST(CpuVariants, SeveralThreadsFindWhatTheDefinitionSays) {
  CpuDevice device;
  for (const u64 count : {31, 128, 129, 520})
    for (const u32 missing : {0, 100})
      for (const Variant& one : cpu_variants()) {
        const auto problem = make_problem(some_instances(count, 70, 3, missing), Metric::hamming);
        const Distances expected = brute_force(problem->instances(), Metric::hamming);
        for (const bool bands : {false, true}) {
          if (bands && one.name == "appendix") continue;  // computes all at once
          if (bands) problem->keep_to(std::min<u64>(count, 100) * count * (missing > 0 ? 8 : 4));
          const auto session = prepare_as<DistanceSession>(
              *problem, one, one.space.find("threads") == nullptr ? Point() : Point({{"threads", 3}}),
              device);
          const Distances& found = session->distances();
          EXPECT_TRUE(found.sum == expected.sum) << one.name << ", " << count << (bands ? " in bands" : "");
          EXPECT_TRUE(found.compared == expected.compared) << one.name << ", " << count;
        }
      }
}

TEST(CpuVariants, OthersThanFloatsRefuseRealValues) {
  CpuDevice device;
  const auto problem = make_problem(testing::some_reals(3, 4), Metric::euclidean);
  for (const Variant& one : cpu_variants()) {
    if (one.name == "floats") continue;
    expect_error_text<ResourceError>([&] { prepare_as<DistanceSession>(*problem, one, {}, device); });
  }
}

TEST(CpuVariants, InstructionsOfPlanesAreThoseOfAPairAndAWord) {
  CpuDevice device;
  const double pairs = 20 * 21 / 2;
  const auto ternary = make_problem(some_instances(20, 130), Metric::hamming);
  try {
    const auto avx2 =
        prepare_as<DistanceSession>(*ternary, variant("bit_planes"), {{"target", "avx2"s}}, device)
            ->cost()
            .instructions;
    ASSERT_TRUE(avx2.has_value());
    EXPECT_EQ(avx2->target, "avx2");
    EXPECT_DOUBLE_EQ(avx2->operations.at("xor"), 3 * pairs * 3 / 4);
    EXPECT_DOUBLE_EQ(avx2->operations.at("shuffle_u8"), 2 * pairs * 3 / 4);
    EXPECT_DOUBLE_EQ(avx2->operations.at("add_s16"), 2 * pairs * 3 / 4);
    EXPECT_FALSE(avx2->operations.contains("add_u8")) << "its probe saturates";
    const auto avx512 = prepare_as<DistanceSession>(*ternary, variant("bit_planes"),
                                                    {{"target", "avx512"s}, {"symmetric", "all"s}}, device)
                            ->cost()
                            .instructions;
    EXPECT_DOUBLE_EQ(avx512->operations.at("xor"), 2.0 * 400 * 3 / 8);
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("is unsupported"));
  }
}

TEST(CpuVariants, TheAppendixStoresASumForEachAttributeThatAPairHas) {
  CpuDevice device;
  const auto stores = [&](const Instances& instances) {
    const auto problem = make_problem(instances, Metric::hamming);
    return prepare_as<DistanceSession>(*problem, variant("appendix"), {}, device)
        ->cost()
        .instructions->operations.at("store");
  };
  EXPECT_DOUBLE_EQ(stores(some_instances(20, 130)), 20.0 * 20 * 130);
  Instances some = some_instances(3, 2);
  some.missing = {0, 1, 0, 0, 0, 1};  // the first attribute of all three, the second of the second
  EXPECT_DOUBLE_EQ(stores(some), 2 * (9 + 1));
}

TEST(CpuVariants, AxesListTheSameValuesInEveryBuild) {
  expect_text(axes_lines(cpu_variants()));
}

TEST(CpuVariants, AxesTakeWhatTheySayAndNothingElse) {
  const SearchSpace space = variant("bit_planes").space;
  EXPECT_NO_THROW(space.complete(Point({{"block", 96}, {"tile", "4x4"s}, {"attributes_a_step", 64}})));
  EXPECT_THROW(space.complete(Point({{"block", 33}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"tile", "3x3"s}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"attributes_a_step", 63}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"symmetric", "some"s}})), UsageError);
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
