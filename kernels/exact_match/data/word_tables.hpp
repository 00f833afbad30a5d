#pragma once

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// Words of up to 16 letters as numbers, the first letter in the lowest two bits.
inline constexpr u32 kMostWordLetters = 16;

/// Letters of the tables that a search uses; 0: none.
struct WordLetters {
  u32 prefix = 0, filter = 0;

  bool operator==(const WordLetters&) const = default;
};

/// For each word of `letters` letters where its longest beginning that occurs ends in the tree: the traversal
/// starts there instead of at the root. `length` of a slot is `letters` if the word occurs.
struct PrefixTable {
  u32 letters = 0;        // 0: no table
  HugeArray<Slot> slots;  // [4^letters]
};
inline constexpr u32 kMostPrefixLetters = 13;

/// @param letters  at most kMostPrefixLetters
/// @throws ResourceError if the memory cannot be had
PrefixTable make_prefix_table(const TreeView& tree, u32 letters, ThreadPool& pool);

/// Which words occur in the text: where one that every match of a place must hold does not, the place is
/// passed over.
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
