#pragma once

#include <string>
#include <string_view>

#include "kernels/fm_index/data/elias_fano.cuh"
#include "kernels/fm_index/data/index.hpp"

namespace gpuseq::fm_index {

class ColumnRank;

/// Lays a BWT out as elias_fano.cuh says: fills Index::entries. Needs column 1 only: psi^k
/// has the rows of a word in ascending order. In between it takes 8 bytes per row more.
/// @throws DoesNotFit if the host's memory cannot hold it
void fill_elias_fano(Index& index, const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool);

/// Rows that a line covers at least, and at most: whole buckets, as many as keep elias_fano_place() exact.
inline constexpr u32 kLeastLineRows = 2 * kBucketRows, kMostLineRows = 255 * kBucketRows;

/// Bytes of words and lines where all words are as frequent; with more, and lists, where they are not.
u64 elias_fano_bytes(const Layout& layout, u64 rows);

/// The most that words, lines and lists take: 3.5 times as much where any text is allowed.
/// @param even  all words are about as frequent and evenly spread, as in a random text
u64 elias_fano_bytes_at_most(const Layout& layout, u64 rows, bool even);

/// Why a layout of this kind cannot be built; empty if it can.
std::string why_invalid_elias_fano(const Layout& layout);

/// Whether lines have between half as many entries as slots and as many, on average.
constexpr bool is_filled(const Layout& layout) {
  const u32 entries = layout.d / layout.words(), slots = elias_fano_slots(layout.line_bytes, layout.d);
  return 2 * entries >= slots && entries <= slots;
}
constexpr std::string_view elias_fano_fill_rule() {
  return "elias_fano: lines have d / 4^k entries on average, which must be at most the capacity of a line, "
         "about (8 line_bytes - d / 256) / 9, and at least half of it";
}

/// @throws ResourceError with the reason where a text of `rows` - 1 bases is too long
void require_elias_fano(u64 rows);

}  // namespace gpuseq::fm_index
