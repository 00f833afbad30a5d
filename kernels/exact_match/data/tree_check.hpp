#pragma once

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// Whether arrays of any content are the suffix tree of the text that comes with them, each node before its
/// children: then searches that use them end, read nothing outside and find what is there. Takes time linear
/// in the text and 4 bytes a letter.
///
/// Why what is checked is enough: the leaves are a permutation of the suffixes with ascending first letters,
/// and the ranges of a node's children and its own leaves follow each other and fill its range; those of the
/// root's children begin and end with the child's letter, so all leaves below have it. A node v of depth d
/// has a link to a node of depth d - 1, below which the first leaf of every branch of v goes on behind its
/// first letter. So, by induction on d, leaves below v have d letters in common: the branches' first leaves
/// have the first letter and, below the link, d - 1 more; and a leaf deeper down has with the first leaf of
/// its branch what the nodes between, which are deeper, say. That the branches go on with different letters,
/// ascending and separators last, makes the leaves sorted and every node as deep as it can be.
/// @param tree  with arrays of the sizes that the text asks for, and links of any value
/// @param items  leaves, letters or nodes that a thread takes at a time
bool is_suffix_tree(const SuffixTree& tree, ThreadPool& pool, u64 items = TreeTasks{}.items);

}  // namespace gpuseq::exact_match
