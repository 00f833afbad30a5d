#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// The common prefix of each suffix with the one before it in an order.
struct CommonPrefixes {
  std::vector<u32> letters;  // by position; 0 at separators, beyond which no prefix goes
  std::vector<u64> same;     // a bit a position: the same as the one before up to their separators
};

/// The suffixes of a text that begin with a base.
struct SortedSuffixes {
  /// Positions, sorted up to the separator that ends each. Positions order those that are the same up to
  /// there, with any number of threads.
  HugeArray<u32> leaves;
  std::vector<u32> prefixes;  // CommonPrefixes::letters
};

/// Several threads sort in buckets (kernels/common/suffix_sort.hpp), unless the text is short or repeats more
/// than genomes do; libdivsufsort then sorts on one thread, whatever the text.
/// @throws DoesNotFit or ResourceError if the memory cannot be had
SortedSuffixes sort_suffixes(std::span<const u8> text, ThreadPool& pool, const TreeTasks& tasks = {});

/// The first way. No value where it was given up.
std::optional<HugeArray<u32>> sort_in_buckets(std::span<const u8> text, ThreadPool& pool);
/// The second way. The text behind their separators orders suffixes that are the same up to there.
HugeArray<u32> sort_by_divsufsort(std::span<const u8> text);

/// Source: Kärkkäinen, Manzini and Puglisi 2009; pieces of the text are done apart.
/// @param leaves  in an order in which two suffixes follow each other as those behind their first letters do:
///   one that orders suffixes that are the same up to their separators by chance makes prefixes too long
CommonPrefixes common_prefixes(std::span<const u8> text, const HugeArray<u32>& leaves, ThreadPool& pool,
                               u64 items = TreeTasks{}.items);

}  // namespace gpuseq::exact_match
