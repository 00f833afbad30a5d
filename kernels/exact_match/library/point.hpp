#pragma once

#include <string_view>

#include "kernels/exact_match/data/word_tables.hpp"

// The point that an exported library is fixed to. `export` writes this file anew; here it is a usual one, so
// that what stands on it is compiled and tested.

namespace gpuseq::exact_match {

inline constexpr std::string_view kExportedPoint = "tree_words node_order=breadth_first,prefix_letters=8";

inline constexpr NodeOrder kExportedNodeOrder = NodeOrder::breadth_first;
inline constexpr WordLetters kExportedLetters{.prefix = 8, .filter = 11};

}  // namespace gpuseq::exact_match
