#pragma once

#include <string_view>
#include <vector>

#include "kernels/papara/data/tree.hpp"

namespace gpuseq::papara {

/// Whether a text begins with #NEXUS.
bool is_nexus(std::string_view text);

/// The nodes of the tree in a NEXUS text as parse_newick() gives them. Tips have the names of the table
/// TRANSLATE, or of TAXLABELS if there is no table and they are numbers. Of several trees the one is read
/// that an asterisk marks as the default. Other blocks and commands are skipped.
/// @throws UsageError with place, line and column; also for no tree, and for several without one default
std::vector<Tree::Node> parse_nexus(std::string_view text, std::string_view place);

}  // namespace gpuseq::papara
