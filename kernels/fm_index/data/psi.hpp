#pragma once

#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/psi.cuh"

namespace gpuseq::fm_index {

class ColumnRank;

/// Lays a BWT out as psi.cuh says: fills Index::entries and what the view says of it, but no prefix table.
/// Needs column 1 only. In between it takes 8 bytes a row and 4 a word more.
/// @throws DoesNotFit if the host's memory cannot hold it
void fill_psi(Index& index, const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool);

/// Bytes of the entries of a psi layout; of lines, without what does not fit into its slots.
u64 psi_bytes(const Layout& layout, u64 rows);

/// @throws ResourceError with the reason where a text of `rows` - 1 bases is too long for psi layouts, or too
/// short for so many words
void require_psi(const Layout& layout, u64 rows);

}  // namespace gpuseq::fm_index
