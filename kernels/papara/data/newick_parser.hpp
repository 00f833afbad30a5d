#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/papara/data/tree.hpp"

namespace gpuseq::papara {

/// The nodes of a Newick text as written, in pre-order (parents before children, the root first), without
/// dissolving or renumbering nodes. Does not recurse, so that only memory limits the depth of a tree.
/// @throws UsageError with place, line and column
std::vector<Tree::Node> parse_newick(std::string_view text, std::string_view place);

/// Parses the tree that begins at byte `begin` of the text, and ignores the text after its ';'.
std::vector<Tree::Node> parse_newick_at(std::string_view text, std::size_t begin, std::string_view place);

/// Whether a name must be quoted in Newick text.
bool needs_quotes(std::string_view name);

}  // namespace gpuseq::papara
