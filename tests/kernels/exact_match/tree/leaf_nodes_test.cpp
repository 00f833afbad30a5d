#include "kernels/exact_match/data/leaf_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "kernels/exact_match/data/generator.hpp"
#include "kernels/exact_match/data/node_order.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"

namespace gpuseq::exact_match {
namespace {

std::vector<Reference> references() {
  std::vector<Reference> all{random_reference({.bases = 1, .sequences = 1}),
                             random_reference({.bases = 2000, .sequences = 3, .repeat_percent = 40})};
  for (const std::vector<std::string>& sequences : {std::vector<std::string>{""},
                                                    {std::string(300, 'A'), "AAAA", "", "A"},
                                                    {"ACGNNNACGTN", "NN", "ACG"}}) {
    all.push_back(empty_reference());
    for (const std::string& letters : sequences) append(all.back(), "r", letters);
  }
  return all;
}

/// The suffix at a position, up to its separator.
std::string suffix_at(const Reference& reference, u32 position) {
  std::string suffix;
  for (; reference.text[position] < 4; ++position) suffix += "ACGT"[reference.text[position]];
  return suffix;
}
std::string string_of(const Reference& reference, const TreeNode& node) {
  return suffix_at(reference, node.position).substr(0, node.depth);
}

class LeafNodesOfATree : public ::testing::TestWithParam<NodeOrder> {
 protected:
  template <typename Check>
  void for_all(const Check& check) {
    for (const Reference& reference : references()) {
      SuffixTree tree = build_tree(reference.text, pool_);
      order_nodes(tree, GetParam());
      SCOPED_TRACE(letters_of(reference.text).substr(0, 80));
      check(reference, tree, with_leaf_nodes(tree));
    }
  }
  ThreadPool pool_{1};
};

TEST_P(LeafNodesOfATree, AreTheSuffixesThatGoOnBehindTheirParents) {
  for_all([](const Reference& reference, const SuffixTree& tree, const LeafNodes& all) {
    std::map<std::string, u32> inner;
    std::vector<u32> leaves;
    for (u32 v = 0; v < all.tree.nodes.size(); ++v) {
      const TreeNode& node = all.tree.nodes[v];
      if (is_leaf(all.places[v])) {
        leaves.push_back(leaf_position(all.places[v]));
        EXPECT_EQ(node.position, leaves.back());
        EXPECT_EQ(string_of(reference, node), suffix_at(reference, leaves.back()));
        EXPECT_EQ(node.depth, suffix_at(reference, leaves.back()).size());
        EXPECT_EQ(all.tree.ranges[v].count, 1u);
        EXPECT_EQ(all.tree.leaves[all.tree.ranges[v].first], leaves.back());
      } else {
        EXPECT_EQ(string_of(reference, node), string_of(reference, tree.nodes[all.places[v]]));
        inner[string_of(reference, node)] = v;
      }
    }
    EXPECT_EQ(inner.size(), tree.nodes.size());
    std::vector<u32> expected;
    for (const u32 leaf : tree.leaves)
      if (suffix_at(reference, leaf).size() > tree.nodes[tree.leaf_parent[leaf]].depth)
        expected.push_back(leaf);
    std::ranges::sort(leaves);
    std::ranges::sort(expected);
    EXPECT_EQ(leaves, expected);
  });
}

TEST_P(LeafNodesOfATree, HaveLinksParentsAndChildrenThatAreNodes) {
  for_all([](const Reference& reference, const SuffixTree&, const LeafNodes& all) {
    u64 children = 0;
    for (u32 v = 0; v < all.tree.nodes.size(); ++v) {
      const TreeNode& node = all.tree.nodes[v];
      const std::string string = string_of(reference, node);
      EXPECT_EQ(string_of(reference, all.tree.nodes[node.suffix_link]),
                string.empty() ? "" : string.substr(1));
      for (u32 letter = 0; letter < 4; ++letter) {
        const u32 child = node.child[letter];
        if (child == kNoNode) continue;
        ++children;
        ASSERT_LT(child, all.tree.nodes.size());
        EXPECT_FALSE(is_leaf(all.places[v]));
        EXPECT_EQ(all.tree.nodes[child].parent, v);
        EXPECT_TRUE(string_of(reference, all.tree.nodes[child]).starts_with(string + "ACGT"[letter]));
      }
    }
    EXPECT_EQ(children + 1, all.tree.nodes.size());
    EXPECT_EQ(all.places[kRoot], kRoot);
  });
}

TEST_P(LeafNodesOfATree, StandInTheOrderOfTheTree) {
  for_all([](const Reference&, const SuffixTree&, const LeafNodes& all) {
    std::vector<u32> expected(all.tree.nodes.size());
    std::iota(expected.begin(), expected.end(), 0u);
    if (GetParam() != NodeOrder::hybrid) {
      EXPECT_EQ(node_sequence(all.tree, GetParam()), expected);
      return;
    }
    const u32 wide = hybrid_order(all.tree).wide_nodes;
    std::vector<u32> levels = node_sequence(all.tree, NodeOrder::breadth_first);
    levels.resize(wide);
    expected.resize(wide);
    EXPECT_EQ(levels, expected);
  });
}

TEST(LeafNodes, AreMadeOnceForAnOrder) {
  ThreadPool pool(1);
  SuffixTree tree = build_tree(references()[1].text, pool);
  const auto first = leaf_nodes_of(tree);
  EXPECT_EQ(leaf_nodes_of(tree), first);
  order_nodes(tree, NodeOrder::breadth_first);
  const auto second = leaf_nodes_of(tree);
  EXPECT_NE(second, first);
  EXPECT_EQ(second->tree.nodes.size(), first->tree.nodes.size());
}

TEST(LeafNodes, SlotsOfSeveralSharesGetTheirPlaces) {
  constexpr u64 kOfAShare = u64{1} << 18;
  ThreadPool pool(3, false);
  const std::vector<u32> places{7, 5, 3, kLeafBit | 9};
  for (const u64 count : {u64{0}, u64{1}, kOfAShare, kOfAShare + 1, 3 * kOfAShare - 1}) {
    std::vector<Slot> slots(count);
    for (u64 i = 0; i < count; ++i) slots[i] = {static_cast<u32>(i % 4), static_cast<u32>(i)};
    to_places(slots, places, pool);
    for (u64 i = 0; i < count; ++i)
      ASSERT_TRUE(slots[i].node == places[i % 4] && slots[i].length == static_cast<u32>(i)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryOrder, LeafNodesOfATree,
                         ::testing::Values(NodeOrder::depth_first, NodeOrder::breadth_first,
                                           NodeOrder::hybrid),
                         [](const auto& info) {
                           return std::string(kNodeOrderNames[static_cast<std::size_t>(info.param)]);
                         });

}  // namespace
}  // namespace gpuseq::exact_match
