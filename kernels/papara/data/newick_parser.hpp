#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/papara/data/tree.hpp"

namespace gpuseq::papara {

/// The nodes of a Newick text as they are written, in pre-order (a parent before its children, the root
/// first): nothing dissolved, nothing renumbered. Without recursion, so that the depth of a tree is limited
/// by memory only.
/// @throws UsageError with place, line and column
std::vector<Tree::Node> parse_newick(std::string_view text, std::string_view place);

/// The same of the tree that begins at a byte of the text; what follows its ';' is not read.
std::vector<Tree::Node> parse_newick_at(std::string_view text, std::size_t begin, std::string_view place);

/// Whether a name must be quoted in Newick text.
bool needs_quotes(std::string_view name);

}  // namespace gpuseq::papara
