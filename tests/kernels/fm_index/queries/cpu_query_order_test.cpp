#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/query_order.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr QueryOrder kOrders[] = {QueryOrder::as_given, QueryOrder::sorted, QueryOrder::sorted_reversed,
                                  QueryOrder::by_rows};

/// Lengths around those of keys, many that begin or end alike, and equal ones.
std::vector<std::string> many_queries() {
  std::vector<std::string> all{"", "", "A", "AA", "AAA", "C"};
  u64 seed = 0;
  for (const std::size_t length : {1u, 11u, 12u, 13u, 31u, 32u, 33u, 63u, 64u, 65u, 97u, 200u})
    for (int i = 0; i < 20; ++i) all.push_back(testing::random_letters(length, ++seed));
  for (int i = 0; i < 60; ++i) {
    const std::string shared = testing::random_letters(static_cast<std::size_t>(30 + i), 7);
    all.push_back(shared + testing::random_letters(5, ++seed));
    all.push_back(testing::random_letters(5, ++seed) + shared);
    all.push_back(all[static_cast<std::size_t>(20 + i)]);
  }
  return all;
}

/// So often that several threads share them, each query then having equals in other shares.
std::vector<std::string> shared_queries() {
  std::vector<std::string> all;
  for (int i = 0; i < 20; ++i)
    for (const std::string& letters : many_queries()) all.push_back(letters);
  return all;
}

Queries packed_queries(const std::vector<std::string>& all) {
  Queries queries;
  for (const std::string& letters : all) queries.add(letters);
  return queries;
}

/// The sort key of a query, as letters.
std::string key_of(std::string letters, QueryOrder order) {
  if (order == QueryOrder::sorted_reversed) std::ranges::reverse(letters);
  if (order != QueryOrder::by_rows) return letters;
  // A query that is shorter is followed by A.
  letters = letters.size() < 12 ? letters : letters.substr(letters.size() - 12);
  return letters + std::string(12 - letters.size(), 'A');
}

TEST(QueryOrder, IsThatOfAStableSortOfTheLetters) {
  ThreadPool pool(3);
  for (const auto& letters : {many_queries(), shared_queries()}) {
    const Queries queries = packed_queries(letters);
    for (const QueryOrder order : {QueryOrder::sorted, QueryOrder::sorted_reversed, QueryOrder::by_rows}) {
      std::vector<u32> expected(letters.size());
      for (u32 i = 0; i < expected.size(); ++i) expected[i] = i;
      std::ranges::stable_sort(expected, {}, [&](u32 query) { return key_of(letters[query], order); });
      EXPECT_EQ(in_order(queries, order, pool), expected) << words_of(order);
    }
  }
}

TEST(QueryOrder, OfASetOfQueriesIsTheSameOnAnyNumberOfThreads) {
  const auto text = testing::codes(testing::random_letters(500, 1));
  ThreadPool one(1), two(2);
  const Queries queries = sample_queries(text, {.count = 30'000, .bases = 40, .seed = 4}, two);
  for (const QueryOrder order : kOrders)
    EXPECT_EQ(in_order(queries, order, one), in_order(queries, order, two)) << words_of(order);
}

TEST(QueryOrder, LeavesEachQueryItsLettersItsNameAndItsPlaceInTheFile) {
  const std::vector<std::string> letters = shared_queries();
  ASSERT_GT(letters.size(), 2u * 4096);
  Queries queries = packed_queries(letters);
  for (std::size_t i = 0; i < letters.size(); ++i) queries.names.push_back("q" + std::to_string(i));
  ThreadPool pool(2);
  const Queries sorted = reordered(queries, QueryOrder::sorted_reversed, pool);
  EXPECT_EQ(sorted.total, queries.total);
  EXPECT_EQ(sorted.total_bases, queries.total_bases);
  EXPECT_EQ(sorted.longest, queries.longest);
  EXPECT_EQ(sorted.bytes(), queries.bytes());
  for (u32 query = 0; query < sorted.begin.size(); ++query) {
    EXPECT_EQ(sorted.letters(query), letters[sorted.source[query]]);
    EXPECT_EQ(sorted.name(query), "q" + std::to_string(sorted.source[query]));
  }
  const std::vector<u32> order = sorted.in_file_order();
  for (u32 position = 0; position < order.size(); ++position)
    EXPECT_EQ(sorted.source[order[position]], position);
}

TEST(QueryOrder, OfNoQueriesIsEmpty) {
  ThreadPool pool(1);
  for (const QueryOrder order : kOrders) EXPECT_TRUE(reordered({}, order, pool).begin.empty());
}

/// Problems that differ in the order of their queries alone.
std::unique_ptr<FmProblem> ordered_problem(std::string_view order) {
  Point point = Point::parse("reference=random,reference_bases=20000,query_count=3000,query_bases=30");
  point.set("occurring_percent", std::int64_t{70});
  if (!order.empty()) point.set("query_order", std::string(order));
  return load_problem({.point = point, .files = {}, .seed = 9, .cache_dir = {}, .threads = 2});
}

TEST(ProblemsOfOrderedQueries, HaveTheSameAnswersByEveryVariantAndAreCheckedByTheOracle) {
  const auto device = open_device("cpu");
  const auto given = ordered_problem("");
  for (const std::string& order : kQueryOrders) {
    const auto problem = ordered_problem(order);
    EXPECT_EQ(problem->ordered(), order != "as_given");
    EXPECT_EQ(problem->hash() == given->hash(), order == "as_given");
    const std::vector<u32> in_file_order = problem->queries().in_file_order();
    for (const Variant& variant : cpu_variants()) {
      const auto session = prepare_as<SearchSession>(*problem, variant, {}, *device);
      EXPECT_TRUE(session->verify().passed) << order << " " << variant.name << session->verify().reason;
      EXPECT_EQ(session->verify().checked, 3000u);
      const auto expected = given->expected();
      const auto answers = session->answers();
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(answers[in_file_order[i]].l, expected[i].l) << order << " " << variant.name << " " << i;
    }
  }
}

TEST(ProblemsOfOrderedQueries, SayWhatSortingTookAndThatRandomAccessIsNoBound) {
  const auto device = open_device("cpu");
  const std::vector<Variant> variants = cpu_variants();
  const Variant& variant = variants.front();
  for (const std::string& order : kQueryOrders) {
    const auto problem = ordered_problem(order);
    const auto session = prepare_as<SearchSession>(*problem, variant, {}, *device);
    const bool sorted = order != "as_given";
    EXPECT_EQ(session->side_samples_s().count("sort"), sorted ? 1u : 0u);
    if (sorted) {
      EXPECT_GT(session->side_samples_s().at("sort").at(0), 0);
    }
    const Cost cost = session->cost();
    EXPECT_EQ(cost.traffic.has_value(), !sorted);
    EXPECT_GT(session->facts().at("blocks_per_base").get<double>(), 0.1);
    const Point point = problem_space().complete({{"query_order", order}});
    const StateOutline outline{variant.space.complete({}), point, {}};
    EXPECT_EQ(variant.cost(outline).traffic.has_value(), !sorted);
    EXPECT_EQ(variant.cost(outline).why_no_bound, cost.why_no_bound);
    EXPECT_EQ(cost.why_no_bound.empty(), !sorted);
  }
}

TEST(ProblemsOfOrderedQueries, AreCalledByTheirOrder) {
  const auto label = [](std::string_view order) {
    const auto problem = ordered_problem(order);
    return problem->label(problem_space().complete({{"query_bases", std::int64_t{30}}}));
  };
  const std::string given = label("");  // as records call it that are older than the axis
  EXPECT_EQ(given, "random, 20 kbases, queries of 30 bases");
  EXPECT_EQ(label("as_given"), given);
  EXPECT_EQ(label("sorted_reversed"), given + ", sorted reversed");
  EXPECT_EQ(label("by_rows"), given + ", by rows");
}

TEST(ProblemsOfOrderedQueries, OfAnUnknownOrderAreRefusedWithThoseThereAre) {
  expect_error_text([] { ordered_problem("shuffled"); });
}

}  // namespace
}  // namespace gpuseq::fm_index
