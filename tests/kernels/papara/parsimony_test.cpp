#include "kernels/papara/data/parsimony.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/papara/tree_graph.hpp"

namespace gpuseq::papara {
namespace {

using testing::TreeGraph;

constexpr std::string_view kPlain = "ACGT", kMixed = "AACCGGTTRYKVN--.";

ReferenceAlignment rows(const std::vector<std::string>& letters) {
  ReferenceAlignment alignment;
  for (std::size_t row = 0; row < letters.size(); ++row) {
    alignment.names.push_back(fmt::format("t{}", row));
    alignment.lines.push_back(row + 1);
    alignment.rows.push_back(letters[row]);
  }
  return alignment;
}

References states(std::string_view newick, const ReferenceAlignment& alignment, u32 most = 0,
                  int threads = 2) {
  ThreadPool pool(threads);
  return ancestral_states(parse_tree(newick, "tree"), alignment, most, pool);
}

/// The state vector of each edge under the tips on that side of it where t0 is not.
using BySplit = std::map<std::set<std::string>, std::vector<u8>>;

BySplit by_split(const std::string& newick, const ReferenceAlignment& alignment) {
  const Tree tree = parse_tree(newick, "tree");
  const References references = states(newick, alignment);
  EXPECT_EQ(references.count, tree.edges());
  EXPECT_EQ(references.sites, alignment.sites());
  std::set<std::string> all(alignment.names.begin(), alignment.names.end());
  const auto below = testing::tips_below(tree);
  BySplit result;
  for (u32 edge = 0; edge < tree.edges(); ++edge) {
    std::set<std::string> key = below[edge];
    if (key.contains("t0")) {
      key = all;
      for (const std::string& tip : below[edge]) key.erase(tip);
    }
    const auto row = references.row(edge).plane(0);
    result[key] = {row.begin(), row.end()};
  }
  return result;
}

/// The sets that the sides of an edge give it, edge by edge, from a recursive reading over the graph.
class Reading {
 public:
  Reading(const TreeGraph& graph, const ReferenceAlignment& alignment, std::size_t site)
      : graph_(graph), alignment_(alignment), site_(site) {}

  /// Whether the aligner sees a gap at a virtual root in the edge.
  bool cgap(u32 a, u32 b) const {
    return joined(state(a, b), state(b, a), a < graph_.tips() || b < graph_.tips()) == Gap::kGap;
  }

  /// The bases that the virtual root has in some assignment of fewest changes (Sankoff's way: by costs).
  u8 bases(u32 a, u32 b) const {
    const Costs one = after_edge(a, b), other = after_edge(b, a);
    Costs sum;
    for (int base = 0; base < 4; ++base) sum[base] = one[base] + other[base];
    u8 set = 0;
    for (int base = 0; base < 4; ++base)
      if (sum[base] == *std::min_element(sum.begin(), sum.end())) set |= static_cast<u8>(1 << base);
    return set;
  }

 private:
  enum class Gap { kNone, kGap, kGapOpen };

  using Costs = std::array<int, 4>;  // the least changes by base

  /// On the side of `node`, by the base that it has.
  Costs at_node(u32 node, u32 from) const {
    Costs costs{};
    if (node < graph_.tips())
      for (int base = 0; base < 4; ++base)
        costs[base] = (letter_set(Alphabet::dna, letter(node)) >> base & 1) != 0 ? 0 : 1000;
    else
      for (const u32 next : graph_.neighbours(node))
        if (next != from) {
          const Costs more = after_edge(next, node);
          for (int base = 0; base < 4; ++base) costs[base] += more[base];
        }
    return costs;
  }
  /// The same with the edge to `node`, by the base at its other end.
  Costs after_edge(u32 node, u32 from) const {
    const Costs costs = at_node(node, from);
    const int least = *std::min_element(costs.begin(), costs.end());
    Costs result;
    for (int base = 0; base < 4; ++base) result[base] = std::min(costs[base], least + 1);
    return result;
  }

  char letter(u32 tip) const { return alignment_.rows[tip][site_]; }

  Gap state(u32 node, u32 from) const {
    if (node < graph_.tips())
      return std::string_view("-.NX?").find(letter(node)) != std::string_view::npos ? Gap::kGap : Gap::kNone;
    std::vector<u32> children;
    for (const u32 next : graph_.neighbours(node))
      if (next != from) children.push_back(next);
    return joined(state(children[0], node), state(children[1], node),
                  children[0] < graph_.tips() || children[1] < graph_.tips());
  }

  static Gap joined(Gap a, Gap b, bool with_tip) {
    const auto counts = [&](Gap gap) { return with_tip ? gap != Gap::kNone : gap == Gap::kGap; };
    if (counts(a) && counts(b)) return Gap::kGap;
    return counts(a) || counts(b) ? Gap::kGapOpen : Gap::kNone;
  }

  const TreeGraph& graph_;
  const ReferenceAlignment& alignment_;
  std::size_t site_;
};

/// The least changes if the virtual root between a and b has base `base`, by going through every assignment.
int fewest_changes(const TreeGraph& graph, const ReferenceAlignment& alignment, std::size_t site,
                   std::pair<u32, u32> cut, int base) {
  const u32 inner = graph.tips() - 2;
  int least = 1000;
  for (u32 assignment = 0; assignment < 1u << 2 * inner; ++assignment) {
    const auto set = [&](u32 node) {
      if (node < graph.tips()) return static_cast<u32>(letter_set(Alphabet::dna, alignment.rows[node][site]));
      return 1u << (assignment >> 2 * (node - graph.tips()) & 3);
    };
    int changes = 0;
    for (const auto& edge : graph.all_edges()) {
      const u32 a = set(edge.first), b = set(edge.second), root = 1u << base;
      if (edge == cut)
        changes += ((a & root) == 0 ? 1 : 0) + ((b & root) == 0 ? 1 : 0);
      else
        changes += (a & b) == 0 ? 1 : 0;  // a tip takes the base of its set that costs least
    }
    least = std::min(least, changes);
  }
  return least;
}

TEST(AncestralStates, AreTheBasesOfMostParsimoniousAssignments) {
  Random random(5);
  for (u32 tips = 2; tips <= 6; ++tips)
    for (int repeat = 0; repeat < 6; ++repeat) {
      const TreeGraph graph(tips, random);
      const auto alignment = testing::random_rows(tips, 6, repeat % 2 == 0 ? kPlain : kMixed, random);
      const BySplit result = by_split(graph.newick_from_edge(0, *graph.neighbours(0).begin()), alignment);
      for (const auto& edge : graph.all_edges()) {
        auto key = graph.side(edge.first, edge.second);
        if (key.contains("t0")) key = graph.side(edge.second, edge.first);
        for (std::size_t site = 0; site < alignment.sites(); ++site) {
          int costs[4];
          for (int base = 0; base < 4; ++base)
            costs[base] = fewest_changes(graph, alignment, site, edge, base);
          u32 set = 0;
          for (int base = 0; base < 4; ++base)
            set |= costs[base] == *std::min_element(costs, costs + 4) ? 1u << base : 0u;
          EXPECT_EQ(result.at(key)[site] & kStateMask, set) << tips << " tips, site " << site;
        }
      }
    }
}

TEST(AncestralStates, OfLargerTreesFollowARecursiveReadingOfTheRules) {
  Random random(6);
  for (const u32 tips : {2u, 3u, 4u, 7u, 12u, 30u}) {
    const TreeGraph graph(tips, random);
    const auto alignment = testing::random_rows(tips, 150, kMixed, random);  // more than two slices
    const BySplit result = by_split(graph.newick_from_edge(0, *graph.neighbours(0).begin()), alignment);
    for (const auto& [a, b] : graph.all_edges()) {
      auto key = graph.side(a, b);
      if (key.contains("t0")) key = graph.side(b, a);
      for (std::size_t site = 0; site < alignment.sites(); ++site) {
        const Reading reading(graph, alignment, site);
        const u32 expected = reading.bases(a, b) | (reading.cgap(a, b) ? kCgapFlag : 0u);
        EXPECT_EQ(result.at(key)[site], expected) << tips << " tips, site " << site;
      }
    }
  }
}

TEST(AncestralStates, DoNotDependOnWhereTheTreeIsRooted) {
  Random random(7);
  for (u32 tips = 2; tips < 20; ++tips) {
    const TreeGraph graph(tips, random);
    const auto alignment = testing::random_rows(tips, 70, kMixed, random);
    const BySplit first = by_split(graph.newick_from_edge(0, *graph.neighbours(0).begin()), alignment);
    EXPECT_EQ(first.size(), 2 * tips - 3);
    for (const auto& [a, b] : graph.all_edges())
      EXPECT_EQ(by_split(graph.newick_from_edge(a, b), alignment), first);
    for (u32 node = tips; node < 2 * tips - 2; ++node)
      EXPECT_EQ(by_split(graph.newick_from_node(node), alignment), first);
  }
}

TEST(AncestralStates, SetCgapWhereTheRulesForTipsAndInnerNodesSay) {
  // For two tips: where both have a gap.
  EXPECT_THAT(states("(t0,t1);", rows({"A-N-", "AA-."})).codes,
              ::testing::ElementsAre(1, 1, 15 | 16, 15 | 16));
  // Seen from a tip, an open gap of the others counts: t0 has a gap, and one of t1, t2.
  EXPECT_THAT(states("(t0,t1,t2);", rows({"-", "-", "A"})).codes, ::testing::ElementsAre(17, 17, 1));
  // Between inner nodes only a gap of both sides counts: ((t0,t1),(t2,t3)) in the edge above (t0,t1).
  const auto between = [](const std::vector<std::string>& letters) {
    return states("((t0,t1),t2,t3);", rows(letters)).row(2)[0] & kCgapFlag;
  };
  EXPECT_NE(between({"-", "-", "-", "-"}), 0u);
  EXPECT_EQ(between({"-", "A", "-", "A"}), 0u);
  EXPECT_EQ(between({"-", "-", "-", "A"}), 0u);
}

TEST(AncestralStates, ResolveNodesOfManyInTheOrderOfTheirChildren) {
  Random random(8);
  const auto alignment = testing::random_rows(7, 100, kMixed, random);
  const BySplit star = by_split("(t0,t1,(t2,t3,t4,t5),t6);", alignment);
  const BySplit resolved = by_split("((t0,t1),(((t2,t3),t4),t5),t6);", alignment);
  EXPECT_EQ(star.size(), 8u);
  for (const auto& [split, vector] : star) EXPECT_EQ(resolved.at(split), vector);
}

TEST(AncestralStates, AreTheFirstEdgesOnlyOnRequest) {
  Random random(9);
  const auto alignment = testing::random_rows(5, 80, kMixed, random);
  const References all = states("((t0,t1),t2,(t3,t4));", alignment);
  const References some = states("((t0,t1),t2,(t3,t4));", alignment, 3);
  EXPECT_EQ(all.count, 7u);
  ASSERT_EQ(some.count, 3u);
  EXPECT_TRUE(std::equal(some.codes.begin(), some.codes.end(), all.codes.begin()));
  EXPECT_EQ(states("((t0,t1),t2,(t3,t4));", alignment, 100).count, 7u);
}

TEST(AncestralStates, DoNotDependOnTheNumberOfThreads) {
  Random random(10);
  const TreeGraph graph(40, random);
  const auto alignment = testing::random_rows(40, 1000, kMixed, random);
  const std::string newick = graph.newick_from_edge(0, *graph.neighbours(0).begin());
  const References one = states(newick, alignment, 0, 1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(states(newick, alignment, 0, threads).codes, one.codes);
}

TEST(AncestralStates, OfADeepTreeNeedNoDeepStack) {
  constexpr u32 kTips = 50000;
  std::string newick(kTips - 1, '(');
  newick += "t0";
  for (u32 tip = 1; tip < kTips; ++tip) newick += fmt::format(",t{})", tip);
  const References references = states(newick + ";", rows(std::vector<std::string>(kTips, "C")));
  EXPECT_EQ(references.count, 2 * kTips - 3);
  EXPECT_TRUE(
      std::all_of(references.codes.begin(), references.codes.end(), [](u8 code) { return code == 2; }));
}

TEST(AncestralStates, NeedARowForEveryTipAndATipForEveryRow) {
  const auto error = [](std::string_view newick, std::size_t count) {
    auto alignment = rows(std::vector<std::string>(count, "A"));
    alignment.place = "rows";
    try {
      states(newick, alignment);
    } catch (const UsageError& usage) {
      return std::string(usage.what());
    }
    return std::string("computed");
  };
  expect_text(error("(t0,t1,\n t7);", 3));
  expect_text(error("(t0,t1);", 4));
}

TEST(AncestralStates, OfAminoAcidsAreThoseOfBasesByOtherNames) {
  constexpr std::string_view kAminoAcid = "LWYD";  // instead of A, C, G and T
  Random random(15);
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::vector<std::string> bases(9, std::string(70, '-')), residues = bases;
    for (std::size_t row = 0; row < bases.size(); ++row)
      for (std::size_t site = 0; site < bases[row].size(); ++site) {
        const u64 letter = random.below(6);
        bases[row][site] = letter < 4 ? kPlain[letter] : letter == 4 ? 'N' : '.';
        residues[row][site] = letter < 4 ? kAminoAcid[letter] : letter == 4 ? 'X' : '.';
      }
    ReferenceAlignment proteins = rows(residues);
    proteins.alphabet = Alphabet::protein;
    constexpr std::string_view kTree = "(((t0,t1),(t2,t3)),((t4,t5),t6),(t7,t8));";
    const References of_bases = states(kTree, rows(bases)), of_residues = states(kTree, proteins);
    ASSERT_EQ(of_bases.count, of_residues.count);
    for (u32 edge = 0; edge < of_bases.count; ++edge)
      for (u32 site = 0; site < 70; ++site) {
        const u32 code = of_bases.row(edge)[site];
        u32 expected = (code & kCgapFlag) != 0 ? cgap_flag(Alphabet::protein) : 0;
        for (u32 base = 0; base < 4; ++base)
          if ((code >> base & 1) != 0) expected |= letter_set(Alphabet::protein, kAminoAcid[base]);
        const u32 found = of_residues.row(edge)[site];
        // Four bases that differ are all there are; of amino acids it may be all that there are, or four.
        if ((code & kStateMask) == kStateMask &&
            (found & state_mask(Alphabet::protein)) == state_mask(Alphabet::protein))
          expected |= state_mask(Alphabet::protein);
        ASSERT_EQ(found, expected) << edge << ", " << site;
      }
  }
}

TEST(AncestralStates, JoinWhatAmbiguousAminoAcidsStandFor) {
  const auto state = [](const std::vector<std::string>& letters) {
    ReferenceAlignment proteins = rows(letters);
    proteins.alphabet = Alphabet::protein;
    return states("(t0,t1);", proteins).row(0)[0];
  };
  const auto set = [](char letter) { return letter_set(Alphabet::protein, letter); };
  EXPECT_EQ(state({"B", "N"}), set('N'));
  EXPECT_EQ(state({"B", "Z"}), set('B') | set('Z'));
  EXPECT_EQ(state({"W", "Y"}), set('W') | set('Y'));
  EXPECT_EQ(state({"X", "Y"}), set('Y'));
  EXPECT_EQ(state({"*", "-"}), set('X') | cgap_flag(Alphabet::protein));
}

}  // namespace
}  // namespace gpuseq::papara
