#include <gtest/gtest.h>

#include <algorithm>

#include "bench/base/registry.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/expectation_counter.hpp"
#include "runtime/system/cpu_device.hpp"
#if GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#endif

// What variants expect of a state before anything is loaded, against what the session of that state counts.

namespace gpuseq {
namespace {

/// A problem, and how far its drawn lengths may lead from what is expected.
struct Sized {
  Point problem;
  double tolerance = 0;
};

std::vector<Sized> sized(std::string_view family) {
  using namespace std::string_literals;
  if (family == "fm_index")
    return {{.problem = {{"reference_bases", 1'000'000}, {"query_count", 20'000}, {"query_bases", 60}},
             .tolerance = 0.15}};
  if (family == "fm_locate")
    return {{.problem = {{"reference_bases", 1'000'000}, {"query_count", 40'000}, {"query_bases", 40}},
             .tolerance = 0.03},
            {.problem = {{"reference_bases", 300'000},
                         {"query_count", 40'000},
                         {"query_bases", 20},
                         {"occurring_percent", 70},
                         {"strands", "both"s}},
             .tolerance = 0.04}};
  if (family == "papara")
    return {{.problem = {{"references", 70}, {"sites", 130}, {"query_count", 30}}, .tolerance = 0},
            {.problem = {{"references", 33},
                         {"sites", 90},
                         {"query_count", 400},
                         {"shortest_query", 20},
                         {"longest_query", 40},
                         {"insertion", 20}},
             .tolerance = 0.03}};
  if (family == "profile_hmm") {
    std::vector<Sized> all;
    for (const char* filter : {"ssv", "msv", "viterbi"})
      all.push_back({.problem = {{"filter", std::string(filter)},
                                 {"model_length", 70},
                                 {"sequence_count", 4000},
                                 {"homologs", 300}},
                     .tolerance = 0.06});
    return all;
  }
  if (family == "pairwise_distance") {
    std::vector<Sized> all;
    for (const char* metric : {"hamming", "manhattan", "squared_euclidean", "ibs", "euclidean"})
      for (const std::int64_t missing : {0, 100})
        for (const std::int64_t alphabet : {2, 3, 5})
          if (metric != "ibs"s || alphabet == 3)
            all.push_back({.problem = {{"metric", std::string(metric)},
                                       {"instance_count", 75},
                                       {"attribute_count", 333},
                                       {"alphabet", alphabet},
                                       {"missing", missing}},
                           .tolerance = missing == 0 ? 0 : 0.02});
    return all;
  }
  if (family == "exact_match")
    return {{.problem = {{"reference_bases", 200'000}, {"query_count", 50'000}}, .tolerance = 0.005},
            {.problem = {{"reference_bases", 100'000},
                         {"repeat_percent", 20},
                         {"query_count", 3'000},
                         {"query_bases", 150},
                         {"min_length", 30},
                         {"both_strands", "yes"s}},
             .tolerance = 0.005},
            {.problem = {{"reference_bases", 100'000},
                         {"query_count", 2'000},
                         {"min_length", 9},
                         {"mode", "mumreference"s}},
             .tolerance = 0.005}};
  return {};
}

/// What is expected of the states of a problem, by variants or by their family's counter.
class Expecting {
 public:
  Expecting(const Family& family, const Point& problem) : problem_(problem) {
    const CountingFamily* const counting = counting_of(family);
    if (counting == nullptr) return;
    EXPECT_EQ(counting->why_not_counted({{}, problem, {}}), "");
    counter_ =
        counting->counter({.point = problem, .files = {}, .seed = kSeed, .cache_dir = {}, .threads = 2});
  }
  bool tells(const Variant& variant) const { return counter_ || variant.expectation; }
  Maybe<Expectation> of(const Variant& variant, const Point& point) {
    if (!counter_) return variant.expectation({point, problem_, {}});
    Maybe<CountedExpectation> counted = counter_->expectation(variant.name, point);
    if (!counted.value) return {std::nullopt, counted.reason};
    return {std::move(counted.value->expected), {}};
  }

  static constexpr std::uint64_t kSeed = 5;

 private:
  const Point problem_;
  std::unique_ptr<ExpectationCounter> counter_;
};

/// The default point, and with each other value of each axis in turn; those that the space has.
std::vector<Point> points_of(const SearchSpace& space) {
  std::vector<Point> points{space.complete({})};
  for (const Axis& axis : space.axes())
    for (const AxisValue& value : axis.values) {
      Point point = points.front();
      point.set(axis.name, value);
      if (!space.why_invalid(point)) points.push_back(std::move(point));
    }
  return points;
}

void expect_near(double expected, double counted, double tolerance, const std::string& what) {
  EXPECT_NEAR(expected, counted, (tolerance + 1e-9) * counted) << what;
}

class Expected : public ::testing::TestWithParam<std::string> {
 protected:
  const Family& family() const {
    static const bench::Registry all = bench::make_registry();
    return *all.shared_family(GetParam());
  }

  /// @returns states that were compared
  int compare(DeviceKind kind, Device& device) const {
    int compared = 0;
    for (const Sized& at : sized(family().name())) {
      const Point of_problem = family().problem_space().complete(at.problem);
      const std::unique_ptr<Problem> problem = family().load(
          {.point = of_problem, .files = {}, .seed = Expecting::kSeed, .cache_dir = {}, .threads = 2});
      Expecting expecting(family(), of_problem);
      for (const Variant& variant : family().variants()) {
        if (variant.device != kind || !expecting.tells(variant)) continue;
        for (const Point& point : points_of(variant.space)) {
          SCOPED_TRACE(variant.name + " " + point.to_string() + " of " + of_problem.to_string());
          compared += compare(expecting, variant, point, *problem, device, at.tolerance) ? 1 : 0;
        }
      }
    }
    return compared;
  }

 private:
  /// @returns whether the state is one that can be had
  static bool compare(Expecting& expecting, const Variant& variant, const Point& point, Problem& problem,
                      Device& device, double tolerance) {
    Maybe<Expectation> expected;
    std::string refused;
    try {
      expected = expecting.of(variant, point);
    } catch (const ResourceError& error) {
      refused = error.what();
    }
    std::unique_ptr<Session> session;
    try {
      session = variant.prepare(problem, point, device);
    } catch (const ResourceError&) {
      return false;  // what is not expected need not be refused beforehand
    }
    EXPECT_EQ(refused, "");
    if (!expected.value) {
      EXPECT_NE(expected.reason, "");
      return false;
    }
    const Work work = session->work();
    EXPECT_EQ(expected.value->work.unit, work.unit);
    expect_near(expected.value->work.amount, work.amount, tolerance, "work");
    compare_instructions(expected.value->instructions, session->instructions(), tolerance);
    compare_traffic(expected.value->traffic, session->traffic(), tolerance);
    return true;
  }

  static void compare_instructions(const std::optional<Instructions>& expected,
                                   const std::optional<Instructions>& counted, double tolerance) {
    ASSERT_EQ(expected.has_value(), counted.has_value());
    if (!expected) return;
    EXPECT_EQ(expected->target, counted->target);
    ASSERT_EQ(names_of(expected->operations), names_of(counted->operations));
    for (const auto& [operation, count] : expected->operations)
      expect_near(count, counted->operations.at(operation), tolerance, operation);
  }

  static void compare_traffic(const std::optional<Traffic>& expected, const std::optional<Traffic>& counted,
                              double tolerance) {
    if (!expected) return;
    ASSERT_TRUE(counted);
    EXPECT_EQ(expected->access, counted->access);
    // A mean where entries are loaded as far as a position needs.
    expect_near(expected->block_bytes, counted->block_bytes, tolerance, "block_bytes");
    expect_near(expected->blocks, counted->blocks, tolerance, "blocks");
  }
};

TEST_P(Expected, IsWhatASessionOfACpuVariantCounts) {
  CpuDevice cpu;
  EXPECT_GT(compare(DeviceKind::cpu, cpu), 0);
}

#if GPUSEQ_HAVE_CUDA
TEST_P(Expected, IsWhatASessionOfACudaVariantCounts) {
  if (const auto count = cuda::device_count(); count.value.value_or(0) == 0)
    GTEST_SKIP() << "no CUDA device: " << count.reason;
  const auto gpu = open_device("cuda:0");
  EXPECT_GT(compare(DeviceKind::cuda, *gpu), 0);
}

/// Whatever is expected has a ceiling where the plan asked for what it needs.
TEST_P(Expected, OfACudaVariantIsOfOperationsThatItNeeds) {
  int compared = 0;
  for (const Sized& at : sized(family().name())) {
    const Point of_problem = family().problem_space().complete(at.problem);
    Expecting expecting(family(), of_problem);
    for (const Variant& variant : family().variants()) {
      if (variant.device != DeviceKind::cuda || !expecting.tells(variant)) continue;
      for (const Point& point : points_of(variant.space)) try {
          const Maybe<Expectation> expected = expecting.of(variant, point);
          if (!expected.value || !expected.value->instructions) continue;
          const std::set<std::string> needed = variant.needs({point, of_problem, {}}).operations;
          for (const auto& [operation, count] : expected.value->instructions->operations) {
            EXPECT_TRUE(needed.contains(operation)) << variant.name << " " << operation;
            EXPECT_GT(count, 0) << variant.name << " " << operation;
          }
          ++compared;
        } catch (const ResourceError&) {
          // A point that does not do this problem.
        }
    }
  }
  EXPECT_EQ(compared > 0, !family().name().starts_with("fm_"));  // whose states are of memory
}
#endif

Maybe<Expectation> expected_of(std::string_view family, const Point& problem,
                               std::map<std::string, std::uint64_t> data_bytes = {}) {
  const bench::Registry all = bench::make_registry();
  const Family& named = all.family(family);
  const Variant& variant = named.variants().front();
  return variant.expectation(
      {variant.space.complete({}), named.problem_space().complete(problem), std::move(data_bytes)});
}

TEST(Expectations, OfAFileIsToldByItsBytesOrNotAtAll) {
  using namespace std::string_literals;
  EXPECT_NE(expected_of("pairwise_distance", {{"instances", "hapmap"s}}).reason, "");
  EXPECT_NE(expected_of("papara", {{"alignment", "a"s}, {"tree", "t"s}}).reason, "");
  EXPECT_NE(expected_of("papara", {{"queries", "reads"s}}).reason, "");
  EXPECT_NE(expected_of("fm_locate", {{"reference", "ecoli"s}}).reason, "");
  EXPECT_NE(expected_of("fm_locate", {{"queries", "reads"s}}).reason, "");
  EXPECT_NE(expected_of("fm_locate", {{"query_bases", 8}}).reason, "");
  EXPECT_NE(expected_of("fm_locate", {{"kmer_bases", 31}}).reason, "");
  EXPECT_NE(expected_of("profile_hmm", {{"models", "pfam"s}}).reason, "");
  EXPECT_NE(expected_of("profile_hmm", {{"sequences", "uniprot"s}}).reason, "");
  const Point of_file{{"sequences", "uniprot"s}, {"model_length", 100}};
  const auto whole = expected_of("profile_hmm", of_file, {{"uniprot", 5'000'000}});
  ASSERT_TRUE(whole.value) << whole.reason;
  EXPECT_EQ(whole.value->work.amount, 5e8);
  Point start = of_file;
  start.set("sequence_count", std::int64_t{100});
  const auto of_start = expected_of("profile_hmm", start, {{"uniprot", 5'000'000}});
  EXPECT_NEAR(of_start.value->work.amount, 100 * 370 * 100, 100 * 40 * 100);  // as long as proteins are
}

INSTANTIATE_TEST_SUITE_P(Every, Expected,
                         ::testing::Values("fm_index", "fm_locate", "papara", "profile_hmm",
                                           "pairwise_distance", "exact_match"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gpuseq
