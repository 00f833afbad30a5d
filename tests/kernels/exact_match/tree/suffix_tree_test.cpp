#include "kernels/exact_match/data/suffix_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/exact_match/data/generator.hpp"
#include "tests/kernels/exact_match/records_alike.hpp"

namespace gpuseq::exact_match {
namespace {

Reference reference_of(const std::vector<std::string>& sequences) {
  Reference reference = empty_reference();
  for (const std::string& letters : sequences) append(reference, "r", letters);
  return reference;
}

std::vector<Reference> references() {
  std::vector<Reference> all{
      reference_of({"A"}),
      reference_of({""}),
      reference_of({"ACGT"}),
      reference_of({std::string(300, 'A'), "AAAA", "", "A"}),
      reference_of({"ACGNNNACGTN", "NN", "ACG"}),
      reference_of({testing::repeated("ACG", 60) + "TT" + testing::repeated("CGA", 50)}),
      random_reference({.bases = 2000, .sequences = 3, .repeat_percent = 40})};
  for (const auto& input : testing::records_alike(120)) all.push_back(input.reference());
  Random random(5);
  for (const char* alphabet : {"AC", "ACGTN", "AAAAC", "ACGT"})
    all.push_back(reference_of(
        {testing::random_letters(random, 200, alphabet), testing::random_letters(random, 50, alphabet)}));
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

/// Strings that are followed by two different letters, or by a letter and an end, or by two ends.
std::set<std::string> branching_strings(const Reference& reference) {
  std::map<std::string, std::multiset<char>> next;
  for (u32 at = 0; at < reference.text.size(); ++at) {
    if (reference.text[at] > 3) continue;
    const std::string suffix = suffix_at(reference, at);
    for (std::size_t length = 0; length <= suffix.size(); ++length)
      next[suffix.substr(0, length)].insert(length < suffix.size() ? suffix[length] : '$');
  }
  std::set<std::string> branching{""};
  for (const auto& [string, letters] : next)
    if (std::set(letters.begin(), letters.end()).size() > 1 || letters.count('$') > 1)
      branching.insert(string);
  return branching;
}

void expect_sound(const Reference& reference, const SuffixTree& tree) {
  const TreeView view = tree.view();
  ASSERT_EQ(view.text_letters, reference.text.size());
  std::set<std::string> strings;
  std::vector<u32> parents(view.text_letters, ~0u);
  for (u32 v = 0; v < view.node_count; ++v) {
    const TreeNode& node = view.nodes[v];
    const std::string string = string_of(reference, node);
    ASSERT_EQ(string.size(), node.depth);
    EXPECT_TRUE(strings.insert(string).second) << string;
    EXPECT_EQ(string_of(reference, view.nodes[node.suffix_link]), string.empty() ? "" : string.substr(1));
    const LeafRange range = view.ranges[v];
    std::vector<u32> below;
    for (u32 i = range.first; i < range.first + range.count; ++i) {
      EXPECT_TRUE(suffix_at(reference, view.leaves[i]).starts_with(string));
      below.push_back(view.leaves[i]);
    }
    u32 in_children = 0;
    for (u32 letter = 0; letter < 4; ++letter) {
      const u32 child = node.child[letter];
      if (child == kNoNode) continue;
      const std::string longer = string + "ACGT"[letter];
      if (is_leaf(child)) {
        EXPECT_TRUE(suffix_at(reference, leaf_position(child)).starts_with(longer));
        EXPECT_EQ(view.leaf_parent[leaf_position(child)], v);
        ++in_children;
      } else {
        EXPECT_TRUE(string_of(reference, view.nodes[child]).starts_with(longer));
        EXPECT_EQ(view.nodes[child].parent, v);
        in_children += view.ranges[child].count;
      }
    }
    for (const u32 position : below)
      if (suffix_at(reference, position) == string) {  // ended by a separator: no child
        EXPECT_EQ(view.leaf_parent[position], v);
        ++in_children;
      }
    EXPECT_EQ(in_children, range.count);
    for (u32 position = 0; position < view.text_letters; ++position)
      if (view.leaf_parent[position] == v) {
        EXPECT_EQ(view.leaf_depth[position], std::min(node.depth, 255u));
      }
  }
  EXPECT_EQ(strings, branching_strings(reference));
  EXPECT_EQ(view.nodes[kRoot].depth, 0u);
  EXPECT_EQ(view.ranges[kRoot].count, view.leaf_count);
  EXPECT_EQ(view.leaf_count, reference.letters() - reference.others);
}

TEST(SuffixTree, HasEveryBranchingStringItsLinksChildrenAndLeaves) {
  ThreadPool pool(2);
  const TreeTasks shared{.letters_in_buckets = 0, .items = 5, .leaves_of_a_piece = 8, .leaves_of_a_part = 1};
  for (const Reference& reference : references())
    for (const TreeTasks& tasks : {TreeTasks{}, shared}) {
      SCOPED_TRACE(letters_of(reference.text).substr(0, 80));
      expect_sound(reference, build_tree(reference.text, pool, tasks));
    }
}

TEST(SuffixTree, IsTheSameInEveryOrderOfItsNodes) {
  ThreadPool pool(1);
  for (const Reference& reference : references()) {
    SCOPED_TRACE(letters_of(reference.text).substr(0, 80));
    SuffixTree tree = build_tree(reference.text, pool);
    for (const NodeOrder order : {NodeOrder::breadth_first, NodeOrder::hybrid, NodeOrder::depth_first}) {
      order_nodes(tree, order);
      expect_sound(reference, tree);
    }
  }
}

TEST(SuffixTree, NumbersNodesByDepthInTheTreeWhenBreadthFirst) {
  ThreadPool pool(1);
  const Reference reference = random_reference({.bases = 5000, .repeat_percent = 20});
  SuffixTree tree = build_tree(reference.text, pool);
  order_nodes(tree, NodeOrder::breadth_first);
  std::vector<u32> level(tree.nodes.size());
  for (u32 v = 1; v < tree.nodes.size(); ++v) {
    ASSERT_LT(tree.nodes[v].parent, v);
    level[v] = level[tree.nodes[v].parent] + 1;
  }
  EXPECT_TRUE(std::is_sorted(level.begin(), level.end()));
  order_nodes(tree, NodeOrder::depth_first);
  for (u32 v = 1; v < tree.nodes.size(); ++v)
    EXPECT_TRUE(tree.nodes[v].parent == v - 1 || tree.ranges[v].first >= tree.ranges[v - 1].first);
}

}  // namespace
}  // namespace gpuseq::exact_match
