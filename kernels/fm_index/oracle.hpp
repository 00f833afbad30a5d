#pragma once

#include <span>
#include <vector>

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/queries.hpp"

namespace gpuseq::fm_index {

/// At most this many queries of a problem have an oracle's answer, evenly spread.
inline constexpr u64 kMostChecked = 200'000;

/// The packed queries to check, ascending: all, or one at a seeded place of each of `most` equal parts,
/// as a defect of every second or tenth query would otherwise be in all checked queries or in none.
std::vector<u32> checked_queries(u64 packed, u64 most = kMostChecked);

/// Intervals of queries by binary search of the suffix array, comparing the text's bases. Knows no FM-index.
std::vector<Interval<u64>> search_suffixes(std::span<const u8> text, const SuffixArray& suffixes,
                                           const Queries& queries, std::span<const u32> checked,
                                           ThreadPool& pool);

/// Intervals of queries by backward search one symbol at a time over column 1, counting symbols by scanning
/// it from checkpoints: for synthetic columns, which have no text. Shares nothing with the layouts.
std::vector<Interval<u64>> search_column(const Bwt& bwt, const Queries& queries, std::span<const u32> checked,
                                         ThreadPool& pool);

}  // namespace gpuseq::fm_index
