#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// Positions of the suffixes that begin with a base, sorted up to the separator that ends each; those that
/// are the same up to there are in any order.
///
/// Several threads do it in buckets (kernels/common/suffix_sort.hpp), unless the text repeats more than
/// genomes do; libdivsufsort then sorts on one thread, whatever the text.
/// @throws DoesNotFit or ResourceError if the memory cannot be had
HugeArray<u32> sort_suffixes(std::span<const u8> text, ThreadPool& pool);
/// The two ways, for tests. The first has no value where it was given up.
std::optional<HugeArray<u32>> sort_in_buckets(std::span<const u8> text, ThreadPool& pool);
HugeArray<u32> sort_by_divsufsort(std::span<const u8> text);

/// Letters that each suffix has in common with the one before it in `leaves`, by position; at separators 0.
/// No prefix goes beyond a separator. Source: Kärkkäinen, Manzini and Puglisi 2009; pieces of the text are
/// done apart.
std::vector<u32> common_prefixes(std::span<const u8> text, const HugeArray<u32>& leaves, ThreadPool& pool);

}  // namespace gpuseq::exact_match
