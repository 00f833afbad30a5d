#include "kernels/fm_index/expectation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/psi_traffic.hpp"

// What is told of a search before anything is built, against what is counted on the index itself.

namespace gpuseq::fm_index {
namespace {

constexpr std::int64_t kBases = 400'000, kQueries = 30'000;

Point problem(std::int64_t occurring_percent = 100) {
  return problem_space().complete({{"reference", std::string("random")},
                                   {"reference_bases", kBases},
                                   {"query_count", kQueries},
                                   {"query_bases", std::int64_t{60}},
                                   {"occurring_percent", occurring_percent}});
}

Traffic expected(const Layout& layout, u32 prefix_symbols, RowsRead rows_read, const Point& of) {
  const Maybe<Expectation> found = search_expectation(layout, prefix_symbols, rows_read, {{}, of, {}});
  EXPECT_TRUE(found.value) << found.reason;
  if (!found.value) return {};
  EXPECT_EQ(found.value->work.amount, kQueries * 60.0);
  EXPECT_EQ(found.value->most_accesses, kQueries);
  return *found.value->traffic;
}

/// Of the memory that blocks lie in, on average.
double octaves(const Traffic& traffic) {
  double sum = 0;
  for (const TrafficClass& at : traffic.classes)
    sum += at.blocks * std::log2(static_cast<double>(at.footprint_bytes));
  return sum / traffic.blocks;
}

void expect_alike(const Traffic& told, const Traffic& counted, const std::string& what) {
  EXPECT_NEAR(told.blocks, counted.blocks, 0.06 * counted.blocks) << what;
  EXPECT_NEAR(static_cast<double>(told.block_bytes), static_cast<double>(counted.block_bytes),
              0.1 * static_cast<double>(counted.block_bytes))
      << what;
  EXPECT_NEAR(static_cast<double>(told.footprint_bytes), static_cast<double>(counted.footprint_bytes),
              0.15 * static_cast<double>(counted.footprint_bytes))
      << what;
  EXPECT_EQ(told.access, counted.access) << what;
  EXPECT_NEAR(octaves(told), octaves(counted), 1) << what;
}

class ExpectationTest : public ::testing::TestWithParam<Layout> {};

std::string name_of(const Layout& layout) {
  std::string name = layout.psi          ? "psi"
                     : layout.elias_fano ? "elias_fano"
                     : layout.one_hot    ? "one_hot"
                     : layout.alternate  ? "alternate"
                                         : "full";
  name += "_k" + std::to_string(layout.k);
  return layout.psi ? name + "_line" + std::to_string(layout.line_bytes)
                    : name + "_d" + std::to_string(layout.d);
}

INSTANTIATE_TEST_SUITE_P(Layouts, ExpectationTest,
                         ::testing::Values(Layout{.k = 1, .d = 64}, Layout{.k = 2, .d = 64},
                                           Layout{.k = 2, .d = 192, .alternate = true},
                                           Layout{.k = 4, .d = 64}, Layout{.k = 3, .d = 224, .one_hot = true},
                                           Layout{.k = 3, .d = 2816, .line_bytes = 64, .elias_fano = true},
                                           Layout{.k = 8, .psi = true},
                                           Layout{.k = 8, .psi = true, .line_bytes = 32},
                                           Layout{.k = 9, .psi = true, .line_bytes = 16}),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(ExpectationTest, IsWhatIsCountedOnTheIndex) {
  const Layout layout = GetParam();
  const std::unique_ptr<FmProblem> loaded =
      load_problem({.point = problem(), .files = {}, .seed = 3, .cache_dir = {}, .threads = 1});
  for (const u32 symbols : {0u, 8u})
    for (const RowsRead rows_read : {RowsRead::all_of_entry, RowsRead::counted, RowsRead::all_rows})
      expect_alike(expected(layout, symbols, rows_read, problem()),
                   loaded->count_traffic(*loaded->index(layout, symbols), rows_read),
                   name_of(layout) + (symbols == 0 ? ", no table" : ", table") +
                       (rows_read == RowsRead::counted    ? ", counted rows"
                        : rows_read == RowsRead::all_rows ? ", all rows"
                                                          : ""));
}

TEST(Expectation, OfQueriesThatDoNotOccurEndsAtTheLeadingWordOfPsi) {
  const Layout layout{.k = 9, .psi = true, .line_bytes = 32};  // 1.5 of a word on average
  const std::unique_ptr<FmProblem> loaded =
      load_problem({.point = problem(0), .files = {}, .seed = 3, .cache_dir = {}, .threads = 1});
  const Traffic told = expected(layout, 8, RowsRead::all_of_entry, problem(0));
  const Traffic counted = loaded->count_traffic(*loaded->index(layout, 8), RowsRead::all_of_entry);
  EXPECT_NEAR(told.blocks, counted.blocks, 0.05 * counted.blocks);
  EXPECT_LT(told.blocks, 0.95 * expected(layout, 8, RowsRead::all_of_entry, problem()).blocks);
}

TEST(Expectation, OfLargeIndexesLiesInMoreMemoryThanItTouches) {
  const Point large = problem_space().complete({{"reference", std::string("synthetic")},
                                                {"reference_bases", std::int64_t{3'000'000'000}},
                                                {"query_count", kQueries},
                                                {"query_bases", std::int64_t{60}}});
  const Traffic told = expected({.k = 4, .d = 224, .one_hot = true}, 12, RowsRead::counted, large);
  const TrafficClass& last = told.classes.back();
  EXPECT_NEAR(static_cast<double>(last.spread_bytes), 3e9 / 224 * 256 * 32, 1e9);
  EXPECT_LT(last.footprint_bytes, last.spread_bytes / 1000);
}

TEST(Expectation, SaysWhatItCannotKnow) {
  const Layout layout{.k = 1, .d = 64};
  const auto reason = [](const Layout& of, Point problem) {
    return search_expectation(of, 0, RowsRead::counted, {{}, std::move(problem), {}}).reason;
  };
  Point reads = problem(), file = problem(), sorted = problem();
  sorted.set("query_order", std::string("sorted"));
  reads.set("queries", std::string("reads"));
  file.set("reference", std::string("chr20"));
  file.set("reference_bases", std::int64_t{0});
  EXPECT_NE(reason(layout, reads).find("queries"), std::string::npos);
  EXPECT_NE(reason(layout, sorted).find("queries in order"), std::string::npos);
  Point kmers = problem();
  kmers.set("kmer_bases", std::int64_t{31});
  EXPECT_NE(reason(layout, kmers).find("k-mers of a read"), std::string::npos);
  EXPECT_NE(reason(layout, file).find("reference"), std::string::npos);
  EXPECT_NE(reason({.k = 12, .row_bytes = 8}, problem()).find("verify"), std::string::npos);
  // Of a file whose bytes are known, and of its start.
  file.set("reference_bases", kBases);
  EXPECT_TRUE(search_expectation(layout, 0, RowsRead::counted, {{}, file, {{"chr20", 60'000'000}}}).value);
}

}  // namespace
}  // namespace gpuseq::fm_index
