#pragma once

#include <string_view>
#include <vector>

#include "kernels/papara/data/tree.hpp"

namespace gpuseq::papara {

/// Whether a text begins with #NEXUS.
bool is_nexus(std::string_view text);

/// The nodes of the tree in a NEXUS text in the form of parse_newick(). Tips have the names of the table
/// TRANSLATE, or of TAXLABELS if there is no such table and the tips are numbers. If there are several trees,
/// the tree marked by an asterisk as the default is read. Other blocks and commands are skipped.
/// @throws UsageError with place, line and column; also if there is no tree, or several without one default
std::vector<Tree::Node> parse_nexus(std::string_view text, std::string_view place);

}  // namespace gpuseq::papara
