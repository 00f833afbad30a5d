#include "kernels/fm_index/data/verify.hpp"

#include <algorithm>
#include <chrono>

#include "kernels/fm_index/data/psi.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr std::size_t kRowsPerTask = std::size_t{1} << 16;

/// The text from its last base to its first, behind a piece of As.
void fill_text(std::span<u64> words, std::span<const u8> text, ThreadPool& pool) {
  constexpr u64 kBasesOfWord = 32, kBefore = 64 / kBasesOfWord;
  const u64 used = (text.size() + kBasesOfWord - 1) / kBasesOfWord;
  pool.parallel_for(used, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 w = begin; w < end; ++w) {
      const u64 first = w * kBasesOfWord, count = std::min<u64>(kBasesOfWord, text.size() - first);
      u64 bits = 0;
      for (u64 i = 0; i < count; ++i) bits |= u64{text[text.size() - 1 - first - i]} << (2 * i);
      words[kBefore + w] = bits;
    }
  });
}

/// The 16 bases behind the first k of the suffix of `length` bases.
u32 key_of(std::span<const u64> words, u64 length, u32 k) {
  if (length < k) return ~u32{0};
  const u64 end = 64 + length - k, first = end - kKeyBases;  // symbols, with the 64 As
  const u64 low = words[first / 32], high = words[(end - 1) / 32];
  const u32 shift = 2 * static_cast<u32>(first % 32);
  return static_cast<u32>(low >> shift | (high << 1) << (63 - shift));
}

template <typename Position>
void fill_rows(Index& index, std::span<const Position> suffixes, std::span<const u64> words,
               ThreadPool& pool) {
  constexpr u64 kAhead = 16;
  const Layout& layout = index.layout;
  const u64 bases = suffixes.size(), stride = layout.row_bytes / 4;
  u32* const rows = reinterpret_cast<u32*>(index.entries.data() + verify_rows_offset(layout.k));
  const auto length = [&](u64 row) {
    return row == 0 ? 0 : bases - static_cast<u64>(suffixes[row - 1]);  // row 0 is `$` alone
  };
  pool.parallel_for(bases + 1, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 row = begin; row < end; ++row) {
      rows[row * stride] = static_cast<u32>(length(row));
      if (layout.row_bytes == 4) continue;
      if (row + kAhead < end) __builtin_prefetch(&words[(48 + length(row + kAhead)) / 32]);
      rows[row * stride + 1] = key_of(words, length(row), layout.k);
    }
  });
}

}  // namespace

u64 verify_bytes(const Layout& layout, u64 rows) {
  return verify_text_offset(layout.k, layout.row_bytes, rows) + 16 * text_pieces(rows - 1) + kTextSpareBytes;
}

void require_verify(const Layout& layout, u64 rows, bool synthetic) {
  if (synthetic)
    throw Unsupported(
        "verify compares queries with the text itself; a synthetic column has none. Allowed: references that "
        "are a text (random, or a file)");
  require_words("verify", layout.k, rows);
}

Index build_verify_index(const Layout& layout, std::span<const u8> text, const SuffixArray& suffixes,
                         const ColumnRank& rank, ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  const u64 rows = text.size() + 1, bytes = verify_bytes(layout, rows);
  require_host_memory(bytes, "the index");
  Index index;
  index.layout = layout;
  constexpr u64 kHugePage = u64{2} << 20;
  index.entries = HugeBuffer(bytes, bytes < kHugePage ? Pages::small : Pages::huge);
  fill_starts({reinterpret_cast<u32*>(index.entries.data()), psi_words(layout.k) + 1}, layout.k, rank, pool);
  const u64 text_at = verify_text_offset(layout.k, layout.row_bytes, rows);
  const std::span<u64> words(reinterpret_cast<u64*>(index.entries.data() + text_at), (bytes - text_at) / 8);
  fill_text(words, text, pool);
  std::visit(
      [&]<typename Position>(const std::vector<Position>& positions) {
        fill_rows(index, std::span<const Position>(positions), std::span<const u64>(words), pool);
      },
      suffixes);
  index.view.entries = reinterpret_cast<const u8*>(index.entries.data());
  index.view.rows = rows;
  index.view.short_rows = short_rows(rank, layout.k);
  index.build_s = seconds_since(start);
  return index;
}

}  // namespace gpuseq::fm_index
