#include "kernels/exact_match/data/node_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/exact_match/data/generator.hpp"
#include "kernels/exact_match/problem.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"

namespace gpuseq::exact_match {
namespace {

/// Wide levels, few and the usual number, for trees of different sizes and shapes.
class HybridNodeOrder : public ::testing::TestWithParam<u32> {
 protected:
  template <typename Check>
  void for_all(const Check& check) {
    std::vector<Reference> references{
        random_reference({.bases = 1, .sequences = 1}), random_reference({.bases = 900, .sequences = 3}),
        random_reference({.bases = 60'000, .repeat_percent = 30}), empty_reference()};
    append(references.back(), "r", testing::repeated("ACG", 3000) + std::string(2000, 'A'));
    for (const Reference& reference : references) {
      const SuffixTree tree = build_tree(reference.text, pool_);
      const HybridOrder order = hybrid_order(tree, GetParam());
      std::vector<u32> place(tree.nodes.size(), ~0u);
      ASSERT_EQ(order.sequence.size(), place.size());
      for (u32 i = 0; i < order.sequence.size(); ++i) place[order.sequence[i]] = i;
      SCOPED_TRACE(reference.text.size());
      check(tree, order, place);
    }
  }

  /// The inner nodes of up to four generations.
  static std::vector<u32> family(const SuffixTree& tree, u32 root) {
    std::vector<u32> nodes{root};
    for (u32 generation = 1, begin = 0; generation < kGenerations; ++generation)
      for (const u32 end = static_cast<u32>(nodes.size()); begin < end; ++begin)
        for (const u32 child : tree.nodes[nodes[begin]].child)
          if (child != kNoNode && !is_leaf(child)) nodes.push_back(child);
    return nodes;
  }
  ThreadPool pool_{1};
};

TEST_P(HybridNodeOrder, IsAPermutationThatLeavesTheRootWhereItIs) {
  for_all([](const SuffixTree& tree, const HybridOrder& order, const std::vector<u32>&) {
    EXPECT_EQ(order.sequence.front(), kRoot);
    EXPECT_EQ(std::set<u32>(order.sequence.begin(), order.sequence.end()).size(), tree.nodes.size());
  });
}

TEST_P(HybridNodeOrder, HasWholeBlocksInLevelOrderNearTheRoot) {
  for_all([](const SuffixTree& tree, const HybridOrder& order, const std::vector<u32>& place) {
    EXPECT_TRUE(order.wide_nodes % kBlockNodes == 0 || order.wide_nodes == tree.nodes.size());
    std::vector<u32> level(tree.nodes.size());
    for (u32 v = 1; v < tree.nodes.size(); ++v) level[v] = level[tree.nodes[v].parent] + 1;
    for (u32 i = 1; i < order.wide_nodes; ++i) {
      EXPECT_LE(level[order.sequence[i - 1]], level[order.sequence[i]]);
      EXPECT_LT(place[tree.nodes[order.sequence[i]].parent], i);
    }
    for (u32 v = 0; v < tree.nodes.size(); ++v)
      if (level[v] < GetParam()) {
        EXPECT_LT(place[v], order.wide_nodes);
      }
  });
}

TEST_P(HybridNodeOrder, HasFourGenerationsTogetherInOneBlockUnlessItSaysThatTheyAreCut) {
  u64 cut = 0, pieces = 0;
  for_all([&](const SuffixTree& tree, const HybridOrder& order, const std::vector<u32>& place) {
    const std::set<u32> said(order.cut_roots.begin(), order.cut_roots.end());
    u64 nodes = order.wide_nodes;
    for (const u32 root : order.roots) {
      const std::vector<u32> members = family(tree, root);
      EXPECT_EQ(place[root], nodes);
      for (std::size_t i = 0; i < members.size(); ++i) EXPECT_EQ(place[members[i]], nodes + i);
      EXPECT_EQ(nodes / kBlockNodes != (nodes + members.size() - 1) / kBlockNodes, said.contains(root));
      nodes += members.size();
    }
    EXPECT_EQ(nodes, tree.nodes.size());
    cut += said.size();
    pieces += order.roots.size();
  });
  EXPECT_GT(pieces, 500u);
  EXPECT_LT(cut * 50, pieces);
}

INSTANTIATE_TEST_SUITE_P(WideLevels, HybridNodeOrder, ::testing::Values(0u, 1u, 3u, kWideLevels));

TEST(NodeOrders, AreNamedByTheAxisOfAPoint) {
  for (std::size_t i = 0; i < kNodeOrderNames.size(); ++i)
    EXPECT_EQ(node_order_of({{"node_order", std::string(kNodeOrderNames[i])}}), static_cast<NodeOrder>(i));
}

TEST(NodeOrders, LeaveNoCopyOnADeviceThatHasTheOldNumbers) {
  ThreadPool pool(1);
  SuffixTree tree = build_tree(random_reference({.bases = 500}).text, pool);
  for (const NodeOrder order : {NodeOrder::breadth_first, NodeOrder::hybrid, NodeOrder::depth_first}) {
    tree.device_copy = std::make_shared<const int>(7);
    order_nodes(tree, order);
    EXPECT_EQ(tree.device_copy, nullptr);
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
