#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/data/layout.cuh"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// One column of the (k-step) BWT: per 64 rows the low and the high bits of its symbols, `$` stored as A.
struct BwtColumn {
  std::vector<u64> planes;  // [rows / 64 rounded up][2]
  u64 dollar_row = 0;
  u32 symbol(u64 row) const {
    return static_cast<u32>((planes[row / 64 * 2] >> (row % 64)) & 1) |
           static_cast<u32>((planes[row / 64 * 2 + 1] >> (row % 64)) & 1) << 1;
  }
};

/// The BWT of a text (or a synthetic one: any column with one `$`), from which every layout derives.
struct Bwt {
  u64 rows = 0;                    // n + 1
  std::array<u64, 5> first{};      // first[s]: rows starting with a symbol smaller than s; first[4] = rows
  std::vector<BwtColumn> columns;  // 1 ... as many as were derived
};

/// Derives columns until there are k, by LF mapping, in parallel.
/// @param threads 0: all cores
void derive_columns(Bwt& bwt, u32 k, int threads);

class ColumnRank;

/// An index in host memory with the view of it. Movable.
struct Index {
  Layout layout;
  HugeBuffer entries;
  std::vector<u64> superblocks;
  HugeBuffer prefix;  // Interval<u32> or, wide, Interval<u64>
  IndexView view{};
  double build_s = 0, columns_s = 0;  // the second is that of columns that had to be derived before
  /// The CUDA sessions' copy in device memory, kept so that a sweep uploads an index once. The device must
  /// outlive the index, or this be reset before it goes.
  mutable std::shared_ptr<const void> device_copy;
  std::size_t bytes() const { return entries.size() + superblocks.size() * 8 + prefix.size(); }
  double bits_per_base() const;  // entries and superblocks; the prefix table is stated apart
};

/// Rows of a superblock, about, of wide layouts.
inline constexpr u64 kSuperblockRows = u64{1} << 31;

/// Lays a BWT out. Needs bwt.columns.size() >= layout.k.
/// @param prefix_symbols 0 ... 14; the table also holds the lengths 0 ... k - 1
/// @param superblock_rows wide only: rows of a superblock (tests make it small), rounded to a multiple of d
/// @throws UsageError if the layout is invalid; DoesNotFit if the host's memory cannot hold it
Index build_index(const Bwt& bwt, const Layout& layout, u32 prefix_symbols, int threads,
                  u64 superblock_rows = kSuperblockRows);
/// The same with the rank structure of column 1, which several indexes of a BWT can share, and threads at
/// hand.
Index build_index(const Bwt& bwt, const ColumnRank& rank, const Layout& layout, u32 prefix_symbols,
                  ThreadPool& pool, u64 superblock_rows = kSuperblockRows);

inline constexpr u32 kMaxPrefixSymbols = 14;

/// Why a layout cannot be built; empty if it can.
std::string why_invalid(const Layout& layout);

/// Bytes of the entries or blocks, and of the prefix table, that build_index() makes for a text of `rows -
/// 1`.
u64 entries_bytes(const Layout& layout, u64 rows);
/// An upper limit where the content of a text decides how many bytes of entries it has.
/// @param even  all words are about as frequent and evenly spread, as in a random text
u64 entries_bytes_at_most(const Layout& layout, u64 rows, bool even);
/// Bytes of superblocks of kSuperblockRows; 0 for layouts that are not wide.
u64 superblocks_bytes(const Layout& layout, u64 rows);
u64 prefix_bytes(const Layout& layout, u32 prefix_symbols);

}  // namespace gpuseq::fm_index
