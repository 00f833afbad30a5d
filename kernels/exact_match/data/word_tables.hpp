#pragma once

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// K-mers of up to 16 letters as numbers, the first letter in the lowest two bits.
inline constexpr u32 kMostWordLetters = 16;

/// Lengths of the k-mers in a search's tables; 0: no table.
struct WordLetters {
  u32 prefix = 0, filter = 0;

  bool operator==(const WordLetters&) const = default;
};

/// For each k-mer of `letters` letters, the place in the tree of its longest occurring prefix: the traversal
/// starts there instead of at the root. `length` of a slot is `letters` if the k-mer occurs.
struct PrefixTable {
  u32 letters = 0;        // 0: no table
  HugeArray<Slot> slots;  // [4^letters]
};
inline constexpr u32 kMostPrefixLetters = 13;

/// @param letters  at most kMostPrefixLetters
/// @throws ResourceError if memory is not available
PrefixTable make_prefix_table(const TreeView& tree, u32 letters, ThreadPool& pool);

/// The k-mers that occur in the text: a position is skipped if a k-mer that all its matches
/// contain does not occur.
struct WordFilter {
  u32 letters = 0;       // 0: no filter
  HugeArray<u64> words;  // [4^letters] bits
};

inline constexpr const char* kFilterPart = "word filter";  // its name in HeldMemory

/// @param letters  at most kMostWordLetters
/// @param letters_per_task  of the text that a thread takes at a time
WordFilter make_word_filter(std::span<const u8> text, u32 letters, ThreadPool& pool,
                            u64 letters_per_task = u64{1} << 18);

}  // namespace gpuseq::exact_match
