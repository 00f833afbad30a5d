#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/data/tree.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::papara::testing {

/// An unrooted binary tree as a graph, which can be written as Newick from any of its edges or inner nodes.
/// Nodes 0 ... tips - 1 are the tips t0, t1 ...
class TreeGraph {
 public:
  TreeGraph(u32 tips, Random& random) : tips_(tips), neighbours_(2 * tips - 2) {
    link(0, 1);
    for (u32 tip = 2; tip < tips; ++tip) {
      const auto edges = all_edges();
      const auto [a, b] = edges[random.below(edges.size())];
      const u32 middle = tips + tip - 2;
      neighbours_[a].erase(b);
      neighbours_[b].erase(a);
      link(a, middle);
      link(b, middle);
      link(tip, middle);
    }
  }

  u32 tips() const { return tips_; }
  const std::set<u32>& neighbours(u32 node) const { return neighbours_[node]; }
  std::vector<std::pair<u32, u32>> all_edges() const {
    std::vector<std::pair<u32, u32>> edges;
    for (u32 a = 0; a < neighbours_.size(); ++a)
      for (const u32 b : neighbours_[a])
        if (a < b) edges.emplace_back(a, b);
    return edges;
  }
  std::string newick_from_edge(u32 a, u32 b) const { return fmt::format("({},{});", part(a, b), part(b, a)); }
  std::string newick_from_node(u32 node) const { return part(node, node) + ";"; }

  /// The tips on `node`'s side of the edge to `from`.
  std::set<std::string> side(u32 node, u32 from) const {
    if (node < tips_) return {fmt::format("t{}", node)};
    std::set<std::string> result;
    for (const u32 next : neighbours_[node])
      if (next != from) result.merge(side(next, node));
    return result;
  }

 private:
  void link(u32 a, u32 b) {
    neighbours_[a].insert(b);
    neighbours_[b].insert(a);
  }
  std::string part(u32 node, u32 from) const {
    if (node < tips_) return fmt::format("t{}", node);
    std::string text;
    for (const u32 next : neighbours_[node])
      if (next != from) text += fmt::format("{}{}", text.empty() ? '(' : ',', part(next, node));
    return text + ")";
  }

  u32 tips_;
  std::vector<std::set<u32>> neighbours_;
};

/// The tips below each node of a tree, and so below each edge.
inline std::vector<std::set<std::string>> tips_below(const Tree& tree) {
  std::vector<std::set<std::string>> below(tree.nodes.size());
  for (u32 node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].children.empty()) below[node].insert(tree.nodes[node].name);
    for (const u32 child : tree.nodes[node].children)
      below[node].insert(below[child].begin(), below[child].end());
  }
  return below;
}

/// Rows t0, t1 ... of random letters.
inline ReferenceAlignment random_rows(u32 rows, std::size_t sites, std::string_view letters, Random& random) {
  ReferenceAlignment alignment;
  for (u32 row = 0; row < rows; ++row) {
    alignment.names.push_back(fmt::format("t{}", row));
    alignment.lines.push_back(row + 1);
    std::string& text = alignment.rows.emplace_back();
    for (std::size_t site = 0; site < sites; ++site) text += letters[random.below(letters.size())];
  }
  return alignment;
}

}  // namespace gpuseq::papara::testing
