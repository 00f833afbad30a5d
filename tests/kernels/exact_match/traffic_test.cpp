#include "kernels/exact_match/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/exact_match/data/generator.hpp"

namespace gpuseq::exact_match {
namespace {

Queries queries_of(const std::vector<std::string>& reads) {
  Queries queries = empty_queries();
  for (const std::string& read : reads) append(queries, "q", read);
  return queries;
}

class TrafficOfASearch : public ::testing::Test {
 protected:
  std::string piece(u32 begin, u32 length) const {
    return letters_of(std::span(reference_.text).subspan(begin, length));
  }
  AccessCounts count(const std::vector<std::string>& reads, const Search& search, const SearchWay& way = {}) {
    return count_accesses(part_, search, queries_of(reads), way);
  }

  ThreadPool pool_{1};
  Reference reference_ = random_reference({.bases = 50'000, .sequences = 1, .repeat_percent = 0});
  TreePart part_ = whole(std::make_shared<const SuffixTree>(build_tree(reference_.text, pool_)));
};

TEST_F(TrafficOfASearch, FollowsTheTextOfAPieceThatOccursOnceAndReadsNoNode) {
  const AccessCounts first = count({piece(1000, 60)}, {.min_length = 60});
  EXPECT_GT(first.nodes, 5);   // the way down from the root
  EXPECT_LT(first.nodes, 30);  // and then the text
  EXPECT_GE(first.children, first.nodes - 1);
  EXPECT_GE(first.text_letters, 60 - 30);
  EXPECT_LE(first.text_letters, 61);
  const AccessCounts along = count({piece(1000, 60)}, {.min_length = 30});
  EXPECT_EQ(along.nodes, first.nodes);
  EXPECT_EQ(along.children, first.children);
  EXPECT_EQ(along.leaf_entries - first.leaf_entries, 30);  // a depth for each position
  EXPECT_LE(along.blocks - first.blocks, 2);               // of 30 bytes
  EXPECT_EQ(along.bases, 60);
}

TEST_F(TrafficOfASearch, OfLeavesThatAreNodesIsANodeAtLeastForEachPosition) {
  const Search search{.min_length = 30};
  const AccessCounts implicit = count({piece(1000, 60)}, search);
  const AccessCounts nodes = count({piece(1000, 60)}, search, {.leaf_nodes = true});
  EXPECT_EQ(nodes.leaf_entries, 0);
  EXPECT_GE(nodes.nodes - implicit.nodes, 30);  // it follows no text
  EXPECT_GE(nodes.children - implicit.children, 30);
  EXPECT_GT(nodes.blocks, implicit.blocks + 30);
}

TEST_F(TrafficOfASearch, HasALetterMoreWhereEndsAreCompared) {
  std::string read = piece(20'000, 100);
  read[50] = read[50] == 'A' ? 'C' : 'A';
  const AccessCounts known = count({read}, {.min_length = 20});
  const AccessCounts compared = count({read}, {.min_length = 20}, {.compared_ends = true});
  const double more = compared.text_letters - known.text_letters;
  EXPECT_GT(more, 10);
  EXPECT_LT(more, 80);  // positions
  EXPECT_EQ(compared.query_letters - known.query_letters, more);
  EXPECT_EQ(compared.nodes, known.nodes);
}

TEST_F(TrafficOfASearch, IsABlockForEachNodeAndForTheTextsSectors) {
  const AccessCounts first = count({piece(1000, 300)}, {.min_length = 300});
  // Each node on the way is read for its links and its child; the text of edges lies anywhere.
  EXPECT_GE(first.blocks, first.nodes + 300. / 32 - 1);
  EXPECT_LE(first.blocks, 2 * first.nodes + 300. / 32 + 2);
}

TEST_F(TrafficOfASearch, IsLessWithTablesOfWords) {
  std::string read = piece(20'000, 100);
  for (const std::size_t error : {30u, 70u}) read[error] = read[error] == 'A' ? 'C' : 'A';
  const AccessCounts plain = count({read}, {.min_length = 20});
  EXPECT_EQ(plain.prefixes + plain.filter_words, 0);
  const AccessCounts prefix = count({read}, {.min_length = 20}, {.prefix_letters = 6});
  EXPECT_EQ(prefix.prefixes, 1);
  EXPECT_LT(prefix.nodes, plain.nodes);
  const AccessCounts words = count({read}, {.min_length = 20}, {.prefix_letters = 6, .filter_letters = 11});
  EXPECT_GT(words.filter_words, 10);
  EXPECT_LT(words.nodes, prefix.nodes / 2);
  EXPECT_LT(words.blocks, prefix.blocks);
}

TEST_F(TrafficOfASearch, HasTheLettersToTheLeftWhereMatchesAreListed) {
  const Search search{.min_length = 30};
  const AccessCounts slots = count({piece(1000, 60)}, search);
  const AccessCounts listed = count({piece(1000, 60)}, search, {.listed = true});
  EXPECT_EQ(listed.text_letters - slots.text_letters, 1);  // of the first position; the others extend
  EXPECT_GT(listed.query_letters, slots.query_letters);
  EXPECT_EQ(listed.nodes, slots.nodes);
}

TEST_F(TrafficOfASearch, IsScaledFromSomeQueriesToAllBasesAndStrands) {
  const Queries queries = queries_of(std::vector<std::string>(100, piece(5000, 50)));
  for (const bool both : {false, true}) {
    const Search search{.min_length = 20, .both_strands = both};
    const Traffic all = count_traffic({&part_, 1}, search, queries, {});
    const Traffic few = count_traffic({&part_, 1}, search, queries, {}, 7);
    const AccessCounts one = count({piece(5000, 50)}, search);
    EXPECT_GT(one.blocks, 0);
    EXPECT_NEAR(few.blocks, all.blocks, 1e-6);
    EXPECT_NEAR(all.blocks, 100 * one.blocks, 1e-6);
    EXPECT_EQ(one.bases, both ? 100 : 50);
  }
}

TEST_F(TrafficOfASearch, IsSpreadOverWhatTheSearchReads) {
  const Queries queries = queries_of({piece(5000, 50)});
  const u64 tree = part_.tree->nodes.size() * 32 + u64{6} * reference_.text.size();
  const auto footprint = [&](const SearchWay& way) {
    return count_traffic({&part_, 1}, {.min_length = 10}, queries, way).footprint_bytes;
  };
  EXPECT_EQ(footprint({}), tree);
  EXPECT_EQ(footprint({.prefix_letters = 6}), tree + 4096 * 8);
  EXPECT_EQ(footprint({.leaf_nodes = true}),
            with_leaf_nodes(*part_.tree).tree.nodes.size() * 32 + reference_.text.size());
  EXPECT_EQ(footprint({.filter_letters = 13}), tree + (1 << 20) / 8);  // words of 10 letters
  EXPECT_EQ(footprint({.listed = true}), tree + part_.tree->nodes.size() * 8 + part_.tree->leaves.size() * 4);
}

TEST_F(TrafficOfASearch, AddsThePartsAndSaysWhetherAThreadWaits) {
  const Queries queries = queries_of({piece(5000, 50)});
  const std::vector<TreePart> twice{part_, part_};
  const Search search{.min_length = 20};
  const Traffic one = count_traffic({&part_, 1}, search, queries, {.one_at_a_time = true});
  const Traffic two = count_traffic(twice, search, queries, {});
  EXPECT_EQ(two.blocks, 2 * one.blocks);
  EXPECT_EQ(two.footprint_bytes, one.footprint_bytes);
  EXPECT_EQ(one.access, "dependent");
  EXPECT_EQ(two.access, "independent");
  EXPECT_EQ(one.block_bytes, 32u);
}

TEST_F(TrafficOfASearch, IsNoneWhereNothingIsLookedFor) {
  EXPECT_EQ(count_traffic({&part_, 1}, {}, queries_of({}), {}).blocks, 0);
  EXPECT_EQ(count_traffic({&part_, 1}, {.min_length = 20}, queries_of({"", "ACGT"}), {}).blocks, 0);
}

TEST_F(TrafficOfASearch, IsLoadedByLanesAtLeastOnceABlock) {
  const Traffic traffic =
      count_traffic(std::span(&part_, 1), {.min_length = 20}, queries_of({piece(1000, 60)}), {});
  const AccessCounts counts = count({piece(1000, 60)}, {.min_length = 20});
  EXPECT_DOUBLE_EQ(instructions_of(traffic).operations.at("load_shared_32"), counts.blocks);
  EXPECT_LE(counts.blocks, counts.nodes + counts.children + counts.text_letters + counts.leaf_entries);
}

}  // namespace
}  // namespace gpuseq::exact_match
