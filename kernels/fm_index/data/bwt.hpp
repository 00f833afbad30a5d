#pragma once

#include <span>
#include <variant>
#include <vector>

#include "kernels/fm_index/data/index.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// The suffix array of a text of n bases without its first row (which is `$` alone): element i is row i + 1.
using SuffixArray = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>>;

/// Texts of this many bases and more are sorted with 64-bit positions.
inline constexpr u64 kSort64 = u64{1} << 31;

/// Sorts the suffixes of a text of base codes 0...3. One thread. 5 bytes a base (9 from kSort64).
/// @throws ResourceError if the memory cannot be had
SuffixArray sort_suffixes(std::span<const u8> text);

/// The BWT with column 1 only.
Bwt bwt_of(std::span<const u8> text, const SuffixArray& suffixes, ThreadPool& pool);

/// A seeded random column of `bases` symbols and one `$`. LF is a permutation of its rows, but it may have
/// several cycles, so it is the BWT of no single text: always labelled synthetic.
Bwt synthetic_bwt(u64 bases, u64 seed, ThreadPool& pool);

/// Fills Bwt::first from column 1: the symbols of a column are those of the text.
void count_symbols(Bwt& bwt, ThreadPool& pool);

/// Rows are shared out in pieces of this many.
inline constexpr u64 kRowsPerPiece = u64{1} << 20;
/// LF of the first row of every piece and of the end, for each symbol of column 1 (`$` is no A).
std::vector<std::array<u64, 4>> piece_starts(const Bwt& bwt, ThreadPool& pool);

void derive_columns(Bwt& bwt, u32 k, ThreadPool& pool);

/// The rows whose k-word holds `$`. Of a text shorter than k bases a row can hold it twice; it is listed
/// once.
DollarRows dollar_rows(const Bwt& bwt, u32 k);

}  // namespace gpuseq::fm_index
