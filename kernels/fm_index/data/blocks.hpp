#pragma once

#include <span>
#include <vector>

#include "kernels/fm_index/data/index.hpp"

namespace gpuseq::fm_index {

/// A run of blocks (entries of a sampled layout or blocks of a one-hot layout) in one superblock, which one
/// thread fills.
struct Part {
  u64 begin, end;
  u64 superblock;
};

/// How the blocks of a layout are divided. A layout that is not wide is one superblock.
struct Division {
  u64 blocks = 0;  // of one word, for one-hot
  u64 blocks_per_superblock = 0;
  u64 superblocks = 0;
  std::vector<Part> parts;
};

/// Entries, or blocks of one word, of a text of `rows` - 1 bases.
u64 blocks_of(const Layout& layout, u64 rows);

Division divide(const Layout& layout, u64 rows, u64 superblock_rows);

/// Adds to counts[w] the rows of the blocks [begin, end) whose word a layout counts as w: for sampled layouts
/// the stored words, those past the last row (word 0) included; for one-hot layouts the words without `$`.
void count_words(const Bwt& bwt, const Layout& layout, const DollarRows& dollar, u64 begin, u64 end,
                 std::span<u64> counts);

/// Writes the blocks [begin, end).
/// @param counts  the counters of block `begin`, used as running counts
/// @param blocks_per_word  one-hot only
void fill_blocks(const Bwt& bwt, const Layout& layout, const DollarRows& dollar, u64 begin, u64 end,
                 std::span<u32> counts, u64 blocks_per_word, std::byte* entries);

}  // namespace gpuseq::fm_index
