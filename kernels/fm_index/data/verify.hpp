#pragma once

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/verify.cuh"

namespace gpuseq::fm_index {

class ColumnRank;

/// A text with its suffix array and the starts of words, as verify.cuh says. It has no prefix table.
/// @param rank  of the text's BWT
/// @throws DoesNotFit if the host's memory cannot hold it
Index build_verify_index(const Layout& layout, std::span<const u8> text, const SuffixArray& suffixes,
                         const ColumnRank& rank, ThreadPool& pool);

/// Bytes of starts, rows and text.
u64 verify_bytes(const Layout& layout, u64 rows);

/// @throws ResourceError with the reason where a reference has no text (`synthetic`), or its `rows` - 1 bases
/// are too many or, for so many words, too few
void require_verify(const Layout& layout, u64 rows, bool synthetic);

}  // namespace gpuseq::fm_index
