#pragma once

#include <string_view>

#include "kernels/exact_match/data/word_tables.hpp"

// The point of an exported library. `export` replaces this file; this typical point serves to compile
// and test the library.

namespace gpuseq::exact_match {

inline constexpr std::string_view kExportedPoint = "tree_words node_order=breadth_first,prefix_letters=8";

inline constexpr NodeOrder kExportedNodeOrder = NodeOrder::breadth_first;
inline constexpr WordLetters kExportedLetters{.prefix = 8, .filter = 11};

}  // namespace gpuseq::exact_match
