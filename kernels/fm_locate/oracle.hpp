#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/fm_index/data/bwt.hpp"

namespace gpuseq::fm_locate {

/// For letters A C G T.
std::string reverse_complement(std::string_view letters);

/// Why positions are not those of the first rows of a query's interval, in any order; empty if they are. Each
/// position is compared with the suffix array, and with the text letter by letter. Uses no index.
/// @param interval  of the query
/// @param most_hits  rows that are located; 0: all
/// @param letters  of the query
std::string why_wrong(std::span<const u8> text, const fm_index::SuffixArray& suffixes,
                      const fm_index::Interval<u64>& interval, u64 most_hits, std::string_view letters,
                      std::span<const u32> positions);

}  // namespace gpuseq::fm_locate
