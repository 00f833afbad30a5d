#include "kernels/fm_index/estimate.hpp"

#include <gtest/gtest.h>

#include <string>

#include "kernels/fm_index/data/layout_members.hpp"
#include "kernels/fm_index/problem.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

std::vector<Layout> layouts() {
  std::vector<Layout> all;
  for (u32 k = 1; k <= 4; ++k) {
    for (const u32 d : {64u, 448u})
      for (const LayoutKind kind : {LayoutKind::full, LayoutKind::alternate})
        all.push_back({.kind = kind, .k = k, .d = d});
    for (const u32 d : {224u, 480u}) all.push_back({.kind = LayoutKind::one_hot, .k = k, .d = d});
  }
  for (const u32 k : {4u, 6u, 8u})
    for (const u32 line_bytes : {0u, 16u, 32u, 64u, 128u}) all.push_back(testing::psi_layout(k, line_bytes));
  all.push_back({.kind = LayoutKind::elias_fano, .k = 3, .d = 2816, .line_bytes = 64});
  all.push_back({.kind = LayoutKind::elias_fano, .k = 4, .d = 10240, .line_bytes = 64});
  all.push_back({.kind = LayoutKind::elias_fano, .k = 5, .d = 65280, .line_bytes = 128});
  for (const u32 k : {5u, 8u})
    for (const u32 row_bytes : {4u, 8u})
      all.push_back({.kind = LayoutKind::verify, .k = k, .row_bytes = row_bytes});
  return all;
}

/// @param loosest  the most that an estimate of blocks may be above the count
void expect_upper_estimates(const ProblemSpec& spec, const std::map<std::string, std::uint64_t>& data_bytes,
                            double loosest) {
  const auto problem = load_problem(spec);
  const StateOutline outline{.point = {}, .problem = spec.point, .data_bytes = data_bytes};
  const Queries& queries = problem->queries();
  for (const Layout& layout : layouts()) {
    if (layout.verify() && problem->synthetic()) continue;
    for (const u32 prefix_symbols : {0u, 9u}) {
      if (layout.verify() && prefix_symbols > 0) continue;
      SCOPED_TRACE(text_of(layout) + " prefix_symbols=" + std::to_string(prefix_symbols) + " of " +
                   spec.point.to_string());
      const auto index = problem->index(layout, prefix_symbols);
      const Cost estimate = search_cost(layout, prefix_symbols, outline);
      EXPECT_GE(estimate.work.amount, static_cast<double>(queries.total_bases));
      const auto& held = estimate.held.parts;
      EXPECT_GE(held.at(kIndexPart), index->bytes() - index->prefix.size());
      if (!layout.verify()) {
        EXPECT_EQ(held.at(kPrefixTablePart), index->prefix.size());
      }
      EXPECT_GE(estimate.held.bytes(),
                index->bytes() + queries.bytes() + queries.begin.size() * sizeof(Interval<u32>));
      EXPECT_EQ(estimate.why_no_bound, problem->why_no_bound());
      ASSERT_EQ(estimate.traffic.has_value(), estimate.why_no_bound.empty());
      if (!estimate.traffic) continue;
      for (const RowsRead read : {RowsRead::all_of_entry, RowsRead::counted, RowsRead::all_rows}) {
        const bool has_chunks = layout.d > 0 && !layout.elias_fano();
        if (!has_chunks && read != RowsRead::all_of_entry) continue;
        const Traffic counted = problem->count_traffic(*index, read);
        EXPECT_EQ(estimate.traffic->access, counted.access);
        EXPECT_GE(estimate.traffic->footprint_bytes, counted.footprint_bytes);
        EXPECT_GE(estimate.traffic->block_bytes, counted.block_bytes);
        EXPECT_LE(estimate.traffic->least_block_bytes, counted.block_bytes);
        EXPECT_GE(estimate.traffic->blocks, counted.blocks);
        if (read != RowsRead::all_of_entry) continue;  // steps that count no rows may read less
        EXPECT_LE(estimate.traffic->blocks, loosest * counted.blocks);
      }
    }
  }
}

ProblemSpec spec_of(const std::string& point) {
  return {.point = problem_space().complete(Point::parse(point)),
          .files = {},
          .seed = 3,
          .cache_dir = {},
          .threads = 1};
}

TEST(SearchEstimate, IsCloseAboveTheCountOfRandomTexts) {
  for (const char* point :
       {"reference_bases=20000,query_count=200,query_bases=30",
        "reference=synthetic,reference_bases=30000,query_count=2100,query_bases=30",
        "reference_bases=5000,query_count=300,query_bases=100",
        "reference_bases=20000,query_count=2500,query_bases=90,shortest_query_bases=40,n_percent=7"})
    expect_upper_estimates(spec_of(point), {}, 2.6);
}

TEST(SearchEstimate, IsAboveTheCountOfEveryKindOfQueries) {
  for (const char* point :
       {"reference_bases=2000,query_count=1,query_bases=20",
        "reference_bases=2000,query_bases=0,query_count=9",
        "reference_bases=2000,query_count=30,query_bases=8",
        "reference_bases=1100,query_count=50,query_bases=9",
        "reference_bases=3000,query_count=2100,query_bases=40,shortest_query_bases=1",
        "reference_bases=3000,query_count=200,query_bases=20,n_percent=100",
        "reference_bases=3000,query_count=200,query_bases=40,occurring_percent=0",
        "reference_bases=3000,query_count=90,query_bases=60,shortest_query_bases=10,kmer_bases=31",
        "reference_bases=3000,query_count=200,query_bases=40,query_order=sorted",
        "reference_bases=300,strains=50,mutations_per_1000=1,query_count=300,query_bases=40",
        "reference_bases=30,strains=300,mutations_per_1000=0,query_count=300,query_bases=25"})
    expect_upper_estimates(spec_of(point), {}, 1e9);
}

TEST(SearchEstimate, IsAboveTheCountOfFiles) {
  const TemporaryFolder folder;
  const std::string text = ">r\n" + std::string(3000, 'A') + std::string(500, 'C') + "\n";
  const std::string reads = ">\n\n>q\nACGT\n>a\n" + std::string(300, 'A') + "\n>n\nAN\n>e";
  ProblemSpec spec;
  spec.files = {{"text", folder.write("text.fa", text)}, {"reads", folder.write("reads.fa", reads)}};
  spec.threads = 1;
  for (const char* more : {"", ",query_count=3", ",kmer_bases=21"}) {
    spec.point = problem_space().complete(Point::parse(std::string("reference=text,queries=reads") + more));
    expect_upper_estimates(spec, {{"text", text.size()}, {"reads", reads.size()}}, 1e9);
  }
}

TEST(SearchEstimate, IsZeroWhereLettersAreNotKnown) {
  const Point problem = problem_space().complete(Point::parse("reference=text,queries=reads"));
  const Cost cost = search_cost({.k = 2, .d = 64}, 0, {.point = {}, .problem = problem});
  EXPECT_EQ(cost.work.amount, 0);
  EXPECT_EQ(cost.work.unit, kQueryBases);
  EXPECT_EQ(cost.held.bytes(), prefix_bytes({.k = 2, .d = 64}, 0));
  ASSERT_TRUE(cost.traffic);
  EXPECT_EQ(cost.traffic->blocks, 0);
  EXPECT_EQ(cost.traffic->footprint_bytes, 0u);
  EXPECT_GT(cost.traffic->block_bytes, 0u);
}

TEST(SearchEstimate, HasThePositionsAndSuperblocksOfLongTexts) {
  const auto held = [](const char* bases) {
    const Point problem =
        problem_space().complete(Point::parse(std::string("reference=synthetic,reference_bases=") + bases));
    return search_cost({.k = 4, .d = 64}, 8, {.point = {}, .problem = problem}).held.parts;
  };
  const auto narrow = held("4294967294"), wide = held("4294967295");
  EXPECT_EQ(2 * narrow.at(kPrefixTablePart), wide.at(kPrefixTablePart));
  EXPECT_EQ(2 * narrow.at(kOutputPart), wide.at(kOutputPart));
  const u64 entry = Layout{.k = 4, .d = 64}.entry_bytes();
  EXPECT_EQ(narrow.at(kIndexPart) + entry + 3 * 256 * sizeof(u64), wide.at(kIndexPart));
}

}  // namespace
}  // namespace gpuseq::fm_index
