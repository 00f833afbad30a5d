#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::papara {

/// An unrooted tree, kept with an arbitrary inner node (or, of two tips, a tip) on top. Node numbers are in
/// post-order: children come before their parents, the top is last. Edge e joins node e and its parent, so
/// that an edge's number is its lower node's, as pplacer and EPA number the edges of a jplace tree.
struct Tree {
  static constexpr u32 kNone = ~u32{0};
  struct Node {
    u32 parent = kNone;
    std::vector<u32> children;  // none: a tip
    std::string name;           // of a tip; an inner node's label is kept as it was
    double length = 0;          // of the edge above
    bool has_length = false;
    std::size_t line = 0, column = 0;  // of the name in the file, from 1, for messages; 0: not from a file
  };
  std::vector<Node> nodes;
  std::string place{};  // the file's name, for messages

  u32 edges() const { return nodes.empty() ? 0 : static_cast<u32>(nodes.size()) - 1; }
};

/// Reads one tree in Newick or NEXUS format: names in single or double quotes, comments in [], branch
/// lengths, labels; gzip or plain. The last ';' may be missing. A root of two children is dissolved (its two
/// edges become one); nodes of one child likewise, also where their bracket is never closed (ParsInsert
/// writes such trees). parse_nexus() says which of several trees is read.
/// @throws UsageError with file, line and column: unbalanced brackets, text after the ';', a missing or
/// duplicate tip name, a length that is no number, fewer than two tips
Tree read_tree(const std::filesystem::path& path);
/// The same from text; `place` stands for the file's name in messages.
Tree parse_tree(std::string_view text, std::string_view place);

/// The tree as Newick with the edge numbers in braces after the lengths, as jplace has them:
/// (a:0.1{0},b:0.2{1}...
void write_tree(const Tree& tree, std::ostream& out);

}  // namespace gpuseq::papara
