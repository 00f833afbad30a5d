#pragma once

#include <span>
#include <variant>
#include <vector>

#include "kernels/common/suffix_sort.hpp"
#include "kernels/fm_index/data/index.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// The suffix array of a text of n bases without its first row (which is `$` alone): element i is row i + 1.
using SuffixArray = std::variant<std::vector<u32>, std::vector<std::int64_t>>;

/// Texts of this many bases and more are sorted with 64-bit positions.
inline constexpr u64 kSort64 = kMostSortedLetters + 1;

/// Sorts the suffixes of a text of base codes 0...3: in buckets, with all
/// threads, unless the text is short or repeats more than genomes do.
/// @throws DoesNotFit or ResourceError, with the bytes needed, if the memory is not available
SuffixArray sort_suffixes(std::span<const u8> text, ThreadPool& pool);

/// From how many bases on libdivsufsort is called with 64-bit positions, and from how many on they are kept.
struct WideFrom {
  u64 sorted = u64{1} << 31;
  u64 kept = kSort64;
};
/// The same on one thread, by libdivsufsort.
SuffixArray sort_by_divsufsort(std::span<const u8> text, WideFrom wide = {});

/// Memory that sorting takes without the text, the suffix array included.
/// @param buckets  whether it is done in buckets
u64 sorting_bytes(u64 bases, bool buckets, int threads);

/// The BWT with column 1 only.
Bwt bwt_of(std::span<const u8> text, const SuffixArray& suffixes, ThreadPool& pool);

/// A seeded random column of `bases` symbols and one `$`. LF is a permutation of its rows, but it may have
/// several cycles, so it is the BWT of no single text: always labelled synthetic.
Bwt synthetic_bwt(u64 bases, u64 seed, ThreadPool& pool);

/// Fills Bwt::first from column 1: the symbols of a column are those of the text.
void count_symbols(Bwt& bwt, ThreadPool& pool);

/// Rows are shared out in pieces of this many, so that a bacterium's are enough for all threads.
inline constexpr u64 kRowsPerPiece = u64{1} << 17;
/// LF of the first row of every piece and of the end, for each symbol of column 1 (`$` is no A).
/// @param rows_per_piece  a multiple of 64
std::vector<std::array<u64, 4>> piece_starts(const Bwt& bwt, ThreadPool& pool,
                                             u64 rows_per_piece = kRowsPerPiece);

void derive_columns(Bwt& bwt, u32 k, ThreadPool& pool);

/// The rows whose k-word holds `$`. If a text is shorter
/// than k bases, a row can hold it twice; it is listed once.
DollarRows dollar_rows(const Bwt& bwt, u32 k);

}  // namespace gpuseq::fm_index
