#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/exact_match/matches.hpp"
#include "kernels/exact_match/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// A tree of all of a reference or of a piece of it. Pieces overlap by the longest query, so that every match
/// is whole in the piece in which it begins, and by the letter before, so that it is known to begin there.
/// Source: Schatz et al. 2007, "Implementation": k smaller trees where one does not fit.
struct TreePart {
  std::shared_ptr<const SuffixTree> tree;
  u32 offset = 0;                  // what a position of the tree's text is less than that of Reference::text
  u32 own_begin = 0, own_end = 0;  // positions of the tree's text: matches that begin there count
};

}  // namespace gpuseq::exact_match
