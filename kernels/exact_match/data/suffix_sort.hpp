#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// The common prefix of each suffix with its predecessor in an order.
struct CommonPrefixes {
  std::vector<u32> letters;  // by position; 0 at separators, at which prefixes end
  std::vector<u64> same;     // one bit per position: equal to the predecessor up to their separators
};

/// The suffixes of a text that begin with a base.
struct SortedSuffixes {
  /// Positions, sorted by the suffixes up to their separators, then by position, for any number of threads.
  HugeArray<u32> leaves;
  std::vector<u32> prefixes;  // CommonPrefixes::letters
};

/// Several threads sort in buckets (kernels/common/suffix_sort.hpp), unless the text is short or repeats more
/// than genomes do; then libdivsufsort sorts any text on one thread.
/// @throws DoesNotFit or ResourceError if memory is not available
SortedSuffixes sort_suffixes(std::span<const u8> text, ThreadPool& pool, const TreeTasks& tasks = {});

/// Sorts in buckets. nullopt if it gave up.
std::optional<HugeArray<u32>> sort_in_buckets(std::span<const u8> text, ThreadPool& pool);
/// Sorts by libdivsufsort. Suffixes that are equal up to their separators are ordered by
/// the text after these.
HugeArray<u32> sort_by_divsufsort(std::span<const u8> text);

/// Source: Kärkkäinen, Manzini and Puglisi 2009; pieces of the text are computed independently.
/// @param leaves  sorted such that two suffixes have the order of the suffixes after their first letters: in
/// a random order of suffixes that are equal up to their separators, prefixes become too long
CommonPrefixes common_prefixes(std::span<const u8> text, const HugeArray<u32>& leaves, ThreadPool& pool,
                               u64 items = TreeTasks{}.items);

}  // namespace gpuseq::exact_match
