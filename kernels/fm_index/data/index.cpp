#include "kernels/fm_index/data/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "kernels/fm_index/data/blocks.hpp"
#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/data/psi.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/data/verify.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

/// Rows smaller than each word: k LF steps from row 0.
std::vector<u64> word_starts(const ColumnRank& rank, u32 k) {
  std::vector<u64> starts(u64{1} << (2 * k));
  for (u64 w = 0; w < starts.size(); ++w)
    for (u32 j = 0; j < k; ++j) starts[w] = rank.lf(w >> (2 * j) & 3, starts[w]);
  return starts;
}

/// Counters of the first block of each part, absolute: [part][word].
std::vector<u64> part_starts(const Bwt& bwt, const Layout& layout, const DollarRows& dollar,
                             const Division& division, const std::vector<u64>& starts, ThreadPool& pool) {
  const std::size_t words = layout.words();
  std::vector<u64> counts((division.parts.size() + 1) * words);
  pool.parallel_for(division.parts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p)
      count_words(bwt, layout, dollar, division.parts[p].begin, division.parts[p].end,
                  std::span(counts).subspan((p + 1) * words, words));
  });
  std::copy(starts.begin(), starts.end(), counts.begin());
  for (std::size_t i = words; i < counts.size(); ++i) counts[i] += counts[i - words];
  return counts;
}

void fill(Index& index, const Bwt& bwt, const DollarRows& dollar, const Division& division,
          const std::vector<u64>& counts, ThreadPool& pool) {
  const std::size_t words = index.layout.words();
  if (index.layout.wide) {
    index.superblocks.resize(division.superblocks * words);
    for (std::size_t p = division.parts.size(); p-- > 0;)  // the first part of a superblock is written last
      std::copy_n(
          counts.begin() + static_cast<std::ptrdiff_t>(p * words), words,
          index.superblocks.begin() + static_cast<std::ptrdiff_t>(division.parts[p].superblock * words));
  }
  pool.parallel_for(division.parts.size(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<u32> running(words);
    for (std::size_t p = begin; p < end; ++p) {
      const Part& part = division.parts[p];
      for (std::size_t w = 0; w < words; ++w)
        running[w] = static_cast<u32>(
            counts[p * words + w] - (index.layout.wide ? index.superblocks[part.superblock * words + w] : 0));
      fill_blocks(bwt, index.layout, dollar, part.begin, part.end, running, division.blocks,
                  index.entries.data());
    }
  });
}

/// All words of 0 ... `symbols` symbols, each length from the one before.
template <typename Position>
void fill_prefix(Interval<Position>* table, u32 symbols, const ColumnRank& rank, ThreadPool& pool) {
  constexpr u64 kAhead = 16;
  table[0] = {0, static_cast<Position>(rank.rows())};
  for (u32 length = 1; length <= symbols; ++length) {
    const Interval<Position>* shorter = table + prefix_slot(length - 1, 0);
    Interval<Position>* longer = table + prefix_slot(length, 0);
    const u64 count = u64{1} << (2 * (length - 1));
    pool.parallel_for(count, 4096, [&](std::size_t begin, std::size_t end) {
      for (u64 w = begin; w < end; ++w) {
        if (w + kAhead < end) {
          rank.prefetch(shorter[w + kAhead].l);
          rank.prefetch(shorter[w + kAhead].h);
        }
        for (u32 s = 0; s < 4; ++s)
          longer[s * count + w] = {static_cast<Position>(rank.lf(s, shorter[w].l)),
                                   static_cast<Position>(rank.lf(s, shorter[w].h))};
      }
    });
  }
}

/// Huge pages where there is one to fill: a small buffer on a huge page is 2 MiB to clear.
HugeBuffer make_buffer(u64 bytes) {
  return HugeBuffer(bytes, bytes < u64{2} << 20 ? Pages::small : Pages::huge);
}

u32 table_symbols(const Layout& layout, u32 prefix_symbols) {
  // Partial steps of psi layouts are answered by their starts.
  return layout.psi() ? prefix_symbols : std::max(prefix_symbols, layout.k - 1);
}

void check(const Bwt& bwt, const Layout& layout, u32 prefix_symbols) {
  if (const std::string reason = why_invalid(layout); !reason.empty())
    throw UsageError("FM-index: " + reason);
  if (prefix_symbols > kMaxPrefixSymbols)
    throw UsageError(fmt::format("FM-index: prefix_symbols: found {}, allowed: 0 to {}", prefix_symbols,
                                 kMaxPrefixSymbols));
  if (!layout.wide && bwt.rows >= u64{1} << 32)
    throw UsageError(fmt::format("FM-index: a text of {} bases needs a wide layout", bwt.rows - 1));
  if (!layout.by_psi() && bwt.columns.size() < layout.k)
    throw UsageError(
        fmt::format("FM-index: k = {}, but the BWT has {} columns", layout.k, bwt.columns.size()));
  require_host_memory(entries_bytes(layout, bwt.rows) + prefix_bytes(layout, prefix_symbols), "the index");
}

std::string why_invalid_psi(const Layout& layout) {
  if (layout.k < 1 || layout.k > kMaxPsiK)
    return fmt::format("k of a psi layout: found {}, allowed: 1 to {}", layout.k, kMaxPsiK);
  constexpr std::array<u32, 5> kLines{0, 16, 32, 64, 128};
  if (std::ranges::find(kLines, layout.line_bytes) == kLines.end() ||
      (layout.line_bytes == 0) != (layout.kind == LayoutKind::psi))
    return fmt::format("line_bytes of a psi layout: found {}, allowed: {}", layout.line_bytes,
                       fmt::join(kLines, ", "));
  return layout.wide ? "psi layouts have rows of 32 bits and are not wide" : "";
}

/// The sampled and one-hot layouts.
void fill_counted(Index& index, const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool,
                  u64 superblock_rows) {
  const Layout& layout = index.layout;
  const Division division = divide(layout, bwt.rows, superblock_rows);
  index.view.dollar = dollar_rows(bwt, layout.k);
  index.entries = make_buffer(entries_bytes(layout, bwt.rows));
  fill(index, bwt, index.view.dollar, division,
       part_starts(bwt, layout, index.view.dollar, division, word_starts(rank, layout.k), pool), pool);
  index.view.superblocks = index.superblocks.data();
  index.view.blocks_per_word = layout.one_hot() ? division.blocks : 0;
  index.view.superblock_rows = layout.wide ? division.blocks_per_superblock * layout.d : 0;
}

}  // namespace

std::string why_invalid(const Layout& layout) {
  if (layout.verify()) return "build_verify_index() makes the layout of verify, from a text";
  if (layout.psi()) return why_invalid_psi(layout);
  if (layout.elias_fano()) return why_invalid_elias_fano(layout);
  if (layout.k < 1 || layout.k > kMaxK) return fmt::format("k: found {}, allowed: 1 to {}", layout.k, kMaxK);
  if (layout.one_hot())
    return layout.d == 224 || layout.d == 480
               ? ""
               : fmt::format(
                     "d of a one-hot layout: found {}, allowed: 224 or 480 (blocks of 32 or 64 bytes)",
                     layout.d);
  constexpr u32 kMaxD = 1u << 16;
  if (layout.d == 0 || layout.d % 64 != 0 || layout.d > kMaxD)
    return fmt::format("d: found {}, allowed: a multiple of 64 from 64 to {}", layout.d, kMaxD);
  return "";
}

u64 entries_bytes(const Layout& layout, u64 rows) {
  if (layout.psi()) return psi_bytes(layout, rows);
  if (layout.elias_fano()) return elias_fano_bytes(layout, rows);
  if (layout.verify()) return verify_bytes(layout, rows);
  return blocks_of(layout, rows) * (layout.one_hot() ? layout.words() : 1) * layout.entry_bytes();
}

u64 entries_bytes_at_most(const Layout& layout, u64 rows, bool even) {
  if (layout.psi()) return psi_bytes_at_most(layout, rows);
  return layout.elias_fano() ? elias_fano_bytes_at_most(layout, rows, even) : entries_bytes(layout, rows);
}

u64 superblocks_bytes(const Layout& layout, u64 rows) {
  if (!layout.wide) return 0;
  const u64 blocks = kSuperblockRows / layout.d;  // of a superblock
  return (blocks_of(layout, rows) + blocks - 1) / blocks * layout.words() * sizeof(u64);
}

u64 prefix_bytes(const Layout& layout, u32 prefix_symbols) {
  if (layout.verify()) return 0;
  return prefix_slot(table_symbols(layout, prefix_symbols) + 1, 0) *
         (layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>));
}

double Index::bits_per_base() const {
  return 8.0 * static_cast<double>(entries.size() + superblocks.size() * 8) /
         static_cast<double>(view.rows - 1);
}

Index build_index(const Bwt& bwt, const Layout& layout, u32 prefix_symbols, int threads,
                  u64 superblock_rows) {
  ThreadPool pool(threads);
  const ColumnRank rank(bwt, pool);
  return build_index(bwt, rank, layout, prefix_symbols, pool, superblock_rows);
}

Index build_index(const Bwt& bwt, const ColumnRank& rank, const Layout& layout, u32 prefix_symbols,
                  ThreadPool& pool, u64 superblock_rows) {
  check(bwt, layout, prefix_symbols);
  const auto start = std::chrono::steady_clock::now();
  Index index;
  index.layout = layout;
  if (layout.psi())
    fill_psi(index, bwt, rank, pool);
  else if (layout.elias_fano())
    fill_elias_fano(index, bwt, rank, pool);
  else
    fill_counted(index, bwt, rank, pool, superblock_rows);
  index.prefix = make_buffer(prefix_bytes(layout, prefix_symbols));
  const u32 symbols = table_symbols(layout, prefix_symbols);
  if (layout.wide)
    fill_prefix(reinterpret_cast<Interval<u64>*>(index.prefix.data()), symbols, rank, pool);
  else
    fill_prefix(reinterpret_cast<Interval<u32>*>(index.prefix.data()), symbols, rank, pool);

  index.view.entries = reinterpret_cast<const u8*>(index.entries.data());
  index.view.prefix = index.prefix.data();
  index.view.rows = bwt.rows;
  index.view.prefix_symbols = prefix_symbols;
  index.build_s = seconds_since(start);
  return index;
}

}  // namespace gpuseq::fm_index
