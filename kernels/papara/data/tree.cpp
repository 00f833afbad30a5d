#include "kernels/papara/data/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "kernels/papara/data/newick_parser.hpp"
#include "kernels/papara/data/nexus.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::papara {

namespace {

using Nodes = std::vector<Tree::Node>;

constexpr std::string_view kTreeMark = "\xef\xbb\xbf";

void add_length(Tree::Node& to, const Tree::Node& from) {
  to.length += from.length;
  to.has_length |= from.has_length;
}

/// Dissolves nodes with one child and a root with two; returns the top. Does not update parents.
u32 dissolve(Nodes& nodes) {
  for (std::size_t i = nodes.size(); i-- > 0;)  // children before parents, so that one step is enough
    for (u32& child : nodes[i].children)
      if (nodes[child].children.size() == 1) {
        const u32 only = nodes[child].children.front();
        add_length(nodes[only], nodes[child]);
        child = only;
      }
  u32 top = 0;
  if (nodes[top].children.size() == 1) top = nodes[top].children.front();
  if (nodes[top].children.size() != 2) return top;
  const u32 first = nodes[top].children[0], second = nodes[top].children[1];
  if (!nodes[first].children.empty()) {
    add_length(nodes[second], nodes[first]);
    nodes[first].children.push_back(second);
    return first;
  }
  add_length(nodes[first], nodes[second]);
  nodes[second].children.insert(nodes[second].children.begin(), first);
  return second;
}

/// Calls enter(node, position among its siblings) on the way down and leave(node) on the way up.
template <typename Enter, typename Leave>
void walk(const Nodes& nodes, u32 top, Enter enter, Leave leave) {
  struct Visit {
    u32 node;
    u32 next = 0;
  };
  std::vector<Visit> path{{.node = top}};
  enter(top, 0u);
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next == nodes[visit.node].children.size()) {
      leave(visit.node);
      path.pop_back();
    } else {
      const u32 position = visit.next++;
      const u32 child = nodes[visit.node].children[position];
      enter(child, position);
      path.push_back({.node = child});
    }
  }
}

Tree number(Nodes nodes, u32 top) {
  Tree tree;
  std::vector<u32> numbers(nodes.size(), Tree::kNone);
  walk(
      nodes, top, [](u32, u32) {},
      [&](u32 node) {
        numbers[node] = static_cast<u32>(tree.nodes.size());
        tree.nodes.push_back({});
      });
  for (u32 node = 0; node < nodes.size(); ++node) {
    if (numbers[node] == Tree::kNone) continue;
    Tree::Node& numbered = tree.nodes[numbers[node]];
    const u32 parent = numbered.parent;  // may be in the list already
    numbered = std::move(nodes[node]);
    numbered.parent = parent;
    for (u32& child : numbered.children) {
      child = numbers[child];
      tree.nodes[child].parent = numbers[node];
    }
  }
  return tree;
}

std::string written_name(const std::string& name) {
  if (!needs_quotes(name)) return name;
  std::string quoted = "'";
  for (const char letter : name) quoted.append(letter == '\'' ? 2 : 1, letter);
  return quoted + "'";
}

/// Every '(' and every ',' makes a node.
void require_nodes_fit(std::string_view text, const std::string& path) {
  constexpr u64 kNodeBytes = 3 * sizeof(Tree::Node) + 128;  // a parsed node, a numbered node, and an entry
                                                            // in the map of names
  const auto made = std::ranges::count_if(text, [](char letter) { return letter == '(' || letter == ','; });
  const u64 nodes = static_cast<u64>(made) + 1;
  if (nodes >= Tree::kNone)
    throw UsageError(fmt::format("{}: up to {} nodes, allowed: fewer than {}", path, nodes, Tree::kNone));
  require_host_memory(nodes * kNodeBytes + 3 * text.size(), "reading " + path);
}

}  // namespace

Tree read_tree(const std::filesystem::path& path) {
  ByteSource source(path);
  const GrowingMemory memory("reading " + path.string());
  std::string text;
  for (std::string_view piece = source.next(); !piece.empty(); piece = source.next())
    memory.append(text, piece);
  require_nodes_fit(text, path.string());
  return parse_tree(text, path.string());
}

Tree parse_tree(std::string_view text, std::string_view place) {
  if (text.starts_with(kTreeMark)) text.remove_prefix(kTreeMark.size());
  Nodes nodes = is_nexus(text) ? parse_nexus(text, place) : parse_newick(text, place);
  const u32 top = dissolve(nodes);
  Tree tree = number(std::move(nodes), top);
  if (tree.edges() == 0)
    throw UsageError(fmt::format("{}: the tree has one tip, allowed: two or more", place));
  tree.nodes.back().length = 0;
  tree.nodes.back().has_length = false;
  tree.place = place;
  return tree;
}

void write_tree(const Tree& tree, std::ostream& out) {
  const Nodes& nodes = tree.nodes;
  const u32 top = tree.edges();
  // A tip on top (of a tree with two tips) is written as the sibling of the other tip.
  const bool two_tips = nodes.size() == 2;
  walk(
      nodes, top,
      [&](u32 node, u32 position) {
        if (position > 0) out << ',';
        if (!nodes[node].children.empty()) out << '(';
      },
      [&](u32 node) {
        if (!nodes[node].children.empty()) out << (two_tips ? ',' : ')');
        out << written_name(nodes[node].name);
        if (node == top) return;
        if (nodes[node].has_length) out << fmt::format(":{}", nodes[node].length);
        out << fmt::format("{{{}}}", node);
      });
  out << (two_tips ? ");\n" : ";\n");
}

}  // namespace gpuseq::papara
