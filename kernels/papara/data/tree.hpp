#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::papara {

/// An unrooted tree, stored with an arbitrary inner node on top (a tip if the tree has only two tips). Nodes
/// are numbered in post-order: children come before their parents, the top is last. Edge e joins node e and
/// its parent. This is the edge numbering of pplacer and EPA in jplace trees.
struct Tree {
  static constexpr u32 kNone = ~u32{0};
  struct Node {
    u32 parent = kNone;
    std::vector<u32> children;  // empty for a tip
    std::string name;           // name of a tip, or an inner node's label in the file
    double length = 0;          // length of the edge above
    bool has_length = false;
    std::size_t line = 0, column = 0;  // of the name in the file, from 1, for messages; 0: not from a file
  };
  std::vector<Node> nodes;
  std::string place{};  // the file's name, for messages

  u32 edges() const { return nodes.empty() ? 0 : static_cast<u32>(nodes.size()) - 1; }
};

/// Reads one tree in Newick or NEXUS format: names in single or double quotes, comments in [], branch
/// lengths, labels; gzip or plain. The last ';' may be missing. A root with two children is dissolved (its
/// two edges become one), and so is a node with one child, also if its bracket is never closed (ParsInsert
/// writes such trees). See parse_nexus() for files with several trees.
/// @throws UsageError with file, line and column: unbalanced brackets, text after the ';', a missing or
/// duplicate tip name, an invalid length, fewer than two tips
Tree read_tree(const std::filesystem::path& path);
/// Parses a tree from text; `place` replaces the file's name in messages.
Tree parse_tree(std::string_view text, std::string_view place);

/// Writes the tree as Newick with edge numbers in braces after the lengths, as in jplace:
/// (a:0.1{0},b:0.2{1}...
void write_tree(const Tree& tree, std::ostream& out);

}  // namespace gpuseq::papara
