#pragma once

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// Whether arrays of any content are the suffix tree of their text, parents before children: then
/// searches terminate, read only inside the arrays, and find all matches. Takes time linear in the text
/// and 4 bytes per letter.
///
/// Why the checks are sufficient: the leaves are a permutation of the suffixes with ascending first letters.
/// The ranges of a node's children and its own leaves are adjacent and fill its range; those of the root's
/// children begin and end with the child's letter, so that all leaves below have it. A node v of depth d has
/// a link to a node of depth d - 1, below which the first leaf of every branch of v continues after its first
/// letter. So, by induction on d, leaves below v have d letters in common: the branches' first leaves have
/// the first letter and, below the link, d - 1 more; and a deeper leaf shares with the first leaf of its
/// branch the letters that the deeper nodes between them imply. As the branches continue with different
/// letters, ascending and separators last, the leaves are sorted and every node is as deep as possible.
/// @param tree  with arrays of the sizes that the text requires, and links of any value
/// @param items  leaves, letters or nodes that a thread takes at a time
bool is_suffix_tree(const SuffixTree& tree, ThreadPool& pool, u64 items = TreeTasks{}.items);

}  // namespace gpuseq::exact_match
