#include "kernels/papara/data/evolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kernels/papara/data/parsimony.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::papara {
namespace {

EvolvedAlignment evolved(u32 tips, u32 sites, u64 seed = 1, int threads = 2) {
  ThreadPool pool(threads);
  return evolve({.tips = tips, .sites = sites, .seed = seed}, pool);
}

double gap_share(const ReferenceAlignment& alignment) {
  double gaps = 0;
  for (const std::string& row : alignment.rows)
    gaps += static_cast<double>(std::count(row.begin(), row.end(), '-'));
  return gaps / static_cast<double>(alignment.rows.size() * alignment.sites());
}

double cgap_share(const EvolvedAlignment& of) {
  ThreadPool pool(2);
  const References references = ancestral_states(of.tree, of.alignment, 0, pool);
  const auto flagged = std::count_if(references.codes.begin(), references.codes.end(),
                                     [](u8 code) { return (code & kCgapFlag) != 0; });
  return static_cast<double>(flagged) / static_cast<double>(references.codes.size());
}

/// Share of columns, among those where both rows have a base, in which the two differ.
double distance(const std::string& a, const std::string& b) {
  double both = 0, differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == '-' || b[i] == '-') continue;
    ++both;
    differ += a[i] != b[i];
  }
  return differ / both;
}

TEST(PaparaEvolution, HasTheTipsTheEdgesAndTheColumnsThatWereAskedFor) {
  for (const u32 tips : {2u, 3u, 4u, 5u, 34u, 162u}) {
    const EvolvedAlignment found = evolved(tips, 777);
    EXPECT_EQ(found.tree.edges(), tips == 2 ? 1 : 2 * tips - 3) << tips;
    EXPECT_EQ(found.alignment.rows.size(), tips);
    EXPECT_EQ(std::set<std::string>(found.alignment.names.begin(), found.alignment.names.end()).size(), tips);
    for (const std::string& row : found.alignment.rows) {
      EXPECT_EQ(row.size(), 777u);
      EXPECT_EQ(row.find_first_not_of("ACGT-"), std::string::npos);
    }
  }
  for (const u32 edges : {0u, 1u, 2u, 3u, 4u, 5u, 64u, 65u, 320u}) {
    const u32 tips = tips_for_edges(edges);
    EXPECT_GE(evolved(tips, 10).tree.edges(), edges);
    EXPECT_TRUE(tips == 2 || evolved(tips - 1, 10).tree.edges() < edges);
  }
}

TEST(PaparaEvolution, RefusesATreeOfOneTip) {
  EXPECT_THROW(evolved(1, 10), UsageError);
}

TEST(PaparaEvolution, IsTheSameForASeedWhateverTheThreads) {
  const EvolvedAlignment one = evolved(20, 20'000, 7, 1), two = evolved(20, 20'000, 7, 2);
  EXPECT_EQ(one.alignment.names, two.alignment.names);
  EXPECT_EQ(one.alignment.rows, two.alignment.rows);
  EXPECT_NE(one.alignment.rows, evolved(20, 20'000, 8).alignment.rows);
}

TEST(PaparaEvolution, NoColumnIsAllGaps) {
  for (u64 seed = 1; seed <= 20; ++seed) {
    const ReferenceAlignment alignment = evolved(3, 2000, seed).alignment;
    for (std::size_t column = 0; column < alignment.sites(); ++column)
      EXPECT_TRUE(std::any_of(alignment.rows.begin(), alignment.rows.end(),
                              [&](const std::string& row) { return row[column] != '-'; }));
  }
}

TEST(PaparaEvolution, GapsAndGapFlagsTakeSharesAsInRealAlignments) {
  for (const u32 tips : {34u, 162u, 800u}) {
    const EvolvedAlignment found = evolved(tips, 3000);
    EXPECT_GT(gap_share(found.alignment), 0.10) << tips;
    EXPECT_LT(gap_share(found.alignment), 0.35) << tips;
    EXPECT_GT(cgap_share(found), 0.10) << tips;
    EXPECT_LT(cgap_share(found), 0.30) << tips;
  }
}

TEST(PaparaEvolution, RowsOfNeighboursInTheTreeAreMoreAlikeThanOthers) {
  const EvolvedAlignment found = evolved(60, 5000);
  std::vector<std::size_t> row_of(found.tree.nodes.size());
  for (std::size_t node = 0, row = 0; node < found.tree.nodes.size(); ++node) {
    if (found.tree.nodes[node].name.empty()) continue;
    EXPECT_EQ(found.tree.nodes[node].name, found.alignment.names[row]);
    row_of[node] = row++;
  }
  double cherries = 0, of_cherries = 0, all = 0, of_all = 0;
  const auto& rows = found.alignment.rows;
  for (const Tree::Node& node : found.tree.nodes) {
    if (node.children.size() != 2) continue;
    if (!found.tree.nodes[node.children[0]].children.empty() ||
        !found.tree.nodes[node.children[1]].children.empty())
      continue;
    ++cherries;
    of_cherries += distance(rows[row_of[node.children[0]]], rows[row_of[node.children[1]]]);
  }
  for (std::size_t row = 30; row < rows.size(); ++row) {
    ++all;
    of_all += distance(rows[row - 30], rows[row]);
  }
  ASSERT_GT(cherries, 0);
  EXPECT_LT(of_cherries / cherries, 0.15);
  EXPECT_GT(of_all / all, 0.2);
}

TEST(PaparaEvolution, OfAminoAcidsHasThemAllAndTheDistancesOfItsTree) {
  ThreadPool pool(2);
  const EvolvedAlignment found =
      evolve({.tips = 30, .sites = 20'000, .alphabet = Alphabet::protein, .edge_length = 0.1}, pool);
  EXPECT_EQ(found.alignment.alphabet, Alphabet::protein);
  std::set<char> letters;
  for (const std::string& row : found.alignment.rows) letters.insert(row.begin(), row.end());
  EXPECT_EQ(letters.size(), 21u);
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "-" + std::string(kAminoAcidLetters));
  // Two tips that were joined are as far apart as their edges are long.
  const auto& nodes = found.tree.nodes;
  std::map<std::string, std::size_t> row_of;
  for (std::size_t row = 0; row < found.alignment.names.size(); ++row)
    row_of[found.alignment.names[row]] = row;
  int compared = 0;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = a + 1; b < nodes.size(); ++b) {
      if (nodes[a].name.empty() || nodes[b].name.empty() || nodes[a].parent != nodes[b].parent) continue;
      const double expected = 0.95 * -std::expm1(-(nodes[a].length + nodes[b].length) / 0.95);
      EXPECT_NEAR(distance(found.alignment.rows[row_of.at(nodes[a].name)],
                           found.alignment.rows[row_of.at(nodes[b].name)]),
                  expected, 0.02);
      ++compared;
    }
  EXPECT_GT(compared, 2);
}

TEST(PaparaEvolution, IsTheSameWhateverThePool) {
  for (const int threads : {1, 3}) {
    ThreadPool one(1), several(threads);
    const Evolution evolution{.tips = 12, .sites = 3000, .seed = 7, .alphabet = Alphabet::protein};
    EXPECT_EQ(evolve(evolution, one).alignment.rows, evolve(evolution, several).alignment.rows);
  }
}

}  // namespace
}  // namespace gpuseq::papara
