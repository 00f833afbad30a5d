#pragma once

#include <span>
#include <string_view>

#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/psi.cuh"

namespace gpuseq::fm_index {

class ColumnRank;

/// Lays a BWT out as psi.cuh says: fills Index::entries and their part of the view, but no
/// prefix table. Needs column 1 only. In between it takes 8 bytes per row and 4 per word more.
/// @throws DoesNotFit if the host's memory cannot hold it
void fill_psi(Index& index, const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool);

/// Bytes of the entries of a psi layout; of lines, without the entries that do not fit into its slots.
u64 psi_bytes(const Layout& layout, u64 rows);
/// The same with the most that entries without a slot take.
u64 psi_bytes_at_most(const Layout& layout, u64 rows);

/// For every word of k symbols the rows that are smaller, and behind them the number of rows.
/// @param starts  [4^k + 1], overwritten
void fill_starts(std::span<u32> starts, u32 k, const ColumnRank& rank, ThreadPool& pool);

/// The rows whose suffix has fewer than k symbols.
ShortRows short_rows(const ColumnRank& rank, u32 k);

/// @param what  whose rows have 32 bits, and which has starts of words of k symbols
/// @throws ResourceError with the reason where a text of `rows` - 1 bases is too long, or too short for so
/// many words
void require_words(std::string_view what, u32 k, u64 rows);

/// @throws ResourceError with the reason where a text of `rows` - 1 bases is too long for psi layouts, or too
/// short for so many words
void require_psi(const Layout& layout, u64 rows);

}  // namespace gpuseq::fm_index
