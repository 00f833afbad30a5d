#include <gmock/gmock.h>

#include <set>

#include "kernels/exact_match/expectation.hpp"
#include "kernels/exact_match/family.hpp"

// What is expected of the states of GPUs, against a count that is made as their sessions make it; those of
// CPUs are compared with sessions in tests/expectations_test.cpp, which does the same on a GPU.

namespace gpuseq::exact_match {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

const ProblemSpec kSpec{.point = {{"reference_bases", 60'000}, {"query_count", 1'500}, {"min_length", 12}},
                        .files = {},
                        .seed = 5,
                        .cache_dir = {},
                        .threads = 1};

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

/// What the words of a point say, with words of no more letters than a match.
SearchWay way_of(const Point& point, u32 min_length) {
  SearchWay way{.listed = point.word("result") == "matches", .one_at_a_time = true};
  if (point.has("leaves")) {
    way.leaf_nodes = point.word("leaves") == "nodes";
    way.compared_ends = point.word("edge_ends") == "compared";
  }
  if (!point.has("filter_letters")) return way;
  way.prefix_letters = std::min(static_cast<u32>(point.integer("prefix_letters")), min_length);
  way.filter_letters = std::min(static_cast<u32>(point.integer("filter_letters")), min_length);
  return way;
}

TEST(ExpectationOfMatches, OfAGpuIsWhatItsSessionCounts) {
  const std::vector<MatchVariant> variants = all_variants();
  const std::unique_ptr<ExpectationCounter> counter = make_counter(kSpec, variants);
  const std::unique_ptr<MatchProblem> problem = load_problem(kSpec);
  std::set<std::string> sorted;
  [[maybe_unused]] int compared = 0;
  for (const MatchVariant& one : variants) {
    if (one.variant.device != DeviceKind::cuda) continue;
    for (const Point& point : points_of(one.variant.space)) {
      SCOPED_TRACE(one.variant.name + " " + point.to_string());
      const Maybe<CountedExpectation> found = counter->expectation(one.variant.name, point);
      if (point.word("query_order") == "sorted") {
        EXPECT_THAT(found.reason, HasSubstr("sorted"));
        sorted.insert(one.variant.name);
        continue;
      }
      if (point.has("memory_mib") && point.integer("memory_mib") > 0) {
        EXPECT_THAT(found.reason, HasSubstr("copied"));
        continue;
      }
      ASSERT_TRUE(found.value) << found.reason;
      const Traffic counted = count_traffic(problem->parts(1, node_order_of(point)), problem->search(),
                                            problem->queries(), way_of(point, problem->search().min_length));
      const Expectation& expected = found.value->expected;
      EXPECT_EQ(expected.work.amount, 1'500 * 100.0);
      EXPECT_NEAR(expected.traffic->blocks, counted.blocks, 0.005 * counted.blocks);
      EXPECT_EQ(expected.traffic->access, counted.access);
      EXPECT_EQ(expected.traffic->footprint_bytes, counted.footprint_bytes);
      EXPECT_EQ(expected.instructions->operations, instructions_of(*expected.traffic).operations);
      ASSERT_TRUE(found.value->warps);
      EXPECT_NEAR(found.value->warps->warps * 32, 1'500.0 * static_cast<double>(point.integer("lanes")),
                  1e-6);
      EXPECT_GT(found.value->warps->instructions, 0);
      EXPECT_GT(found.value->warps->waits, 0);
      ++compared;
    }
  }
#if GPUSEQ_HAVE_CUDA
  EXPECT_GT(compared, 40);
  EXPECT_EQ(sorted.size(), 2u);
#endif
}

TEST(ExpectationOfMatches, OfManyReadsIsCountedOnSomeForAll) {
  ProblemSpec many = kSpec;
  many.point.set("query_count", std::int64_t{2'000'000'000});
  many.point.set("both_strands", "yes"s);
  const std::vector<MatchVariant> variants = cpu_variants();
  const auto counter = make_counter(many, variants);
  const auto found = counter->expectation("tree", variants.front().variant.space.complete({}));
  EXPECT_EQ(found.value->expected.work.amount, 4e11);
  const std::unique_ptr<MatchProblem> problem = load_problem(kSpec);
  const double few =
      count_traffic(problem->parts(1, NodeOrder::breadth_first), problem->search(), problem->queries(), {})
          .blocks;
  EXPECT_NEAR(found.value->expected.traffic->blocks / 4e11, few / 150'000, 0.05 * few / 150'000);
}

TEST(ExpectationOfMatches, IsNoneOfWhatTakesLongOrNobodyKnowsTheLengthOf) {
  const auto why = [](const Point& problem, std::map<std::string, std::uint64_t> bytes = {}) {
    return why_not_counted({{}, problem_space().complete(problem), std::move(bytes)});
  };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({{"query_count", std::int64_t{2'000'000'000}}}), "");
  EXPECT_THAT(why({{"reference_bases", std::int64_t{1'000'000'000}}}), HasSubstr("takes about 300 s"));
  EXPECT_THAT(why({{"reference", "genome"s}}), HasSubstr("reference"));
  EXPECT_EQ(why({{"reference", "genome"s}}, {{"genome", 5'000'000}}), "");
  EXPECT_THAT(why({{"queries", "reads"s}}), HasSubstr("queries"));
  EXPECT_EQ(why({{"queries", "reads"s}}, {{"reads", 100'000'000}}), "");
  EXPECT_THAT(why({{"queries", "reads"s}}, {{"reads", 1'000'000'000}}), HasSubstr("100 s"));
  EXPECT_EQ(why({{"queries", "reads"s}, {"query_count", 1000}}, {{"reads", 1'000'000'000}}), "");
}

}  // namespace
}  // namespace gpuseq::exact_match
