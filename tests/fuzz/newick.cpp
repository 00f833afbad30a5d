#include <sstream>

#include "kernels/papara/data/tree.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// A Newick tree: one that is read is a tree in post-order, and written it reads as the same tree.

using namespace gpuseq;
using papara::Tree;

namespace {

void check(const Tree& tree) {
  fuzz::require(tree.nodes.size() >= 2, "a tree of fewer than two nodes");
  for (u32 node = 0; node < tree.nodes.size(); ++node) {
    const Tree::Node& at = tree.nodes[node];
    const bool top = node + 1 == tree.nodes.size();
    fuzz::require(top ? at.parent == Tree::kNone : at.parent > node && at.parent < tree.nodes.size(),
                  "a parent that does not come later");
    fuzz::require(!at.children.empty() || !at.name.empty(), "a tip without a name");
    for (const u32 child : at.children) fuzz::require(tree.nodes[child].parent == node, "a child of another");
  }
}

std::string written(const Tree& tree) {
  std::ostringstream out;
  papara::write_tree(tree, out);
  return out.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Tree tree;
  if (!fuzz::accepts("tree.nwk", [&] { tree = papara::parse_tree(fuzz::text_of(data, size), "tree.nwk"); }))
    return 0;
  check(tree);
  const std::string text = written(tree);
  fuzz::require(written(papara::parse_tree(text, "written")) == text, "written, it is another tree");
  return 0;
}
