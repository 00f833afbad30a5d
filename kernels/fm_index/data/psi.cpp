#include "kernels/fm_index/data/psi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr std::size_t kWordsPerTask = std::size_t{1} << 14;

std::span<u32> words_of(HugeBuffer& buffer, u64 offset_bytes = 0) {
  return {reinterpret_cast<u32*>(buffer.data() + offset_bytes), (buffer.size() - offset_bytes) / sizeof(u32)};
}

/// psi^(j + 1) from psi^j, which is `from`, or the identity where that is empty: psi^(j + 1)[LF(r)] =
/// psi^j[r]. LF maps the rows of each symbol in order, so that this writes four streams.
void advance_psi(const Bwt& bwt, std::span<const std::array<u64, 4>> starts, std::span<const u32> from,
                 std::span<u32> to, ThreadPool& pool) {
  const BwtColumn& column = bwt.columns[0];
  pool.parallel_for(bwt.rows, kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    std::array<u64, 4> next = starts[begin / kRowsPerPiece];
    for (u64 first = begin; first < end; first += 64) {
      u64 low = column.planes[first / 64 * 2], high = column.planes[first / 64 * 2 + 1];
      const u64 last = std::min<u64>(first + 64, end);
      for (u64 row = first; row < last; ++row, low >>= 1, high >>= 1) {
        if (row == column.dollar_row) {
          to[0] = kNoRow;
          continue;
        }
        const u32 symbol = static_cast<u32>((low & 1) | (high & 1) << 1);
        to[next[symbol]++] = from.empty() ? static_cast<u32>(row) : from[row];
      }
    }
  });
}

/// psi^k of every row. @param room  as much again
void fill_entries(std::span<u32> entries, std::span<u32> room, u32 k, const Bwt& bwt, ThreadPool& pool) {
  const auto starts = piece_starts(bwt, pool);
  std::span<const u32> from;
  for (u32 j = 1; j <= k; ++j) {
    const std::span<u32> to = (k - j) % 2 == 0 ? entries : room;
    advance_psi(bwt, starts, from, to, pool);
    from = to;
  }
}

/// The entries of words, behind which nothing of other words follows.
class Members {
 public:
  Members(std::span<const u32> starts, std::span<const u32> entries) : starts_(starts), entries_(entries) {}

  std::span<const u32> operator[](u64 word) const {
    const u32 first = starts_[word];
    u32 end = starts_[word + 1];
    while (end > first && entries_[end - 1] == kNoRow) --end;  // rows of no word
    return entries_.subspan(first, end - first);
  }

 private:
  std::span<const u32> starts_, entries_;
};

/// Units of the entries for which a line with so many slots has no room.
u64 overflow_units(std::size_t members, u32 slots) {
  return members <= slots ? 0 : (4 * (1 + members - (slots - 1)) + kPsiUnit - 1) / kPsiUnit;
}

void write_line(u32* line, u32 slots, u32 start, std::span<const u32> members, u64 unit, u32* overflow) {
  line[0] = start;
  u32* const slot = line + 1;
  if (members.size() <= slots) {
    std::fill(std::copy(members.begin(), members.end(), slot), slot + slots, kNoRow);
    return;
  }
  const auto rest = members.subspan(slots - 1);
  std::copy_n(members.begin(), slots - 1, slot);
  std::swap(slot[slots - 3], slot[slots - 2]);
  slot[slots - 1] = static_cast<u32>(unit);
  overflow[0] = static_cast<u32>(rest.size());
  std::copy(rest.begin(), rest.end(), overflow + 1);
}

/// Lines of all words, from a table.
HugeBuffer make_lines(const Layout& layout, std::span<const u32> starts, std::span<const u32> entries,
                      ThreadPool& pool) {
  const u64 words = psi_words(layout.k);
  const u32 slots = psi_slots(layout.line_bytes);
  const Members members(starts, entries);
  std::vector<u64> units(words / kWordsPerTask + 2);
  pool.parallel_for(words, kWordsPerTask, [&](std::size_t begin, std::size_t end) {
    u64 sum = 0;
    for (u64 w = begin; w < end; ++w)
      if (starts[w + 1] - starts[w] > slots) sum += overflow_units(members[w].size(), slots);
    units[begin / kWordsPerTask + 1] = sum;
  });
  units[0] = words * layout.line_bytes / kPsiUnit;
  for (std::size_t i = 1; i < units.size(); ++i) units[i] += units[i - 1];
  if (units.back() >= u64{1} << 32)
    throw DoesNotFit(fmt::format("psi lines of {} bytes: more than 2^32 units of {} bytes",
                                 units.back() * kPsiUnit, kPsiUnit));
  require_host_memory(units.back() * kPsiUnit, "the index");
  HugeBuffer lines(units.back() * kPsiUnit);
  u32* const all = words_of(lines).data();
  pool.parallel_for(words, kWordsPerTask, [&](std::size_t begin, std::size_t end) {
    u64 unit = units[begin / kWordsPerTask];
    for (u64 w = begin; w < end; ++w) {
      const auto own = members[w];
      write_line(all + w * layout.line_bytes / 4, slots, starts[w], own, unit, all + unit * kPsiUnit / 4);
      unit += overflow_units(own.size(), slots);
    }
  });
  return lines;
}

}  // namespace

u64 psi_bytes(const Layout& layout, u64 rows) {
  return layout.kind == LayoutKind::psi ? psi_entries_offset(layout.k) + rows * 4 + kPsiSpareBytes
                                        : psi_words(layout.k) * layout.line_bytes;
}

u64 psi_bytes_at_most(const Layout& layout, u64 rows) {
  if (layout.kind == LayoutKind::psi) return psi_bytes(layout, rows);
  // overflow_units() of m entries are at most 4 (m + 9 - slots) bytes.
  const u64 slots = psi_slots(layout.line_bytes), more = 9 - std::min<u64>(slots, 9);
  const u64 overflowing = std::min(psi_words(layout.k), rows / (slots + 1));
  return psi_bytes(layout, rows) + 4 * rows + 4 * more * overflowing;
}

// The words of each length are made from those of the length before, in place: the first quarter is
// overwritten last.
void fill_starts(std::span<u32> starts, u32 k, const ColumnRank& rank, ThreadPool& pool) {
  starts[0] = 0;
  for (u32 length = 1; length <= k; ++length) {
    const u64 shorter = psi_words(length - 1);
    pool.parallel_for(shorter, kWordsPerTask, [&](std::size_t begin, std::size_t end) {
      for (u64 w = begin; w < end; ++w)
        for (u32 s = 4; s-- > 0;) starts[s * shorter + w] = static_cast<u32>(rank.lf(s, starts[w]));
    });
  }
  starts[psi_words(k)] = static_cast<u32>(rank.rows());
}

ShortRows short_rows(const ColumnRank& rank, u32 k) {
  ShortRows rows{};
  u64 row = 0;
  u32 word = 0;
  for (u32 symbols = 0; symbols < k; ++symbols) {
    rows.word[rows.count++] = word;
    if (row == rank.dollar_row()) break;
    const u32 symbol = rank.symbol(row);
    word = word >> 2 | symbol << (2 * (k - 1));
    row = rank.lf(symbol, row);
  }
  return rows;
}

void require_words(std::string_view what, u32 k, u64 rows) {
  constexpr u64 kMostWordsPerRow = 64;
  if (rows >= u64{1} << 32)
    throw Unsupported(
        fmt::format("{} has rows of 32 bits: allowed are fewer than {} bases, the reference has {}", what,
                    (u64{1} << 32) - 1, rows - 1));
  if (psi_words(k) > kMostWordsPerRow * rows)
    throw Unsupported(fmt::format(
        "{} with k = {} has {} words: allowed are references of {} bases or more ({} words per base), "
        "the reference has {}",
        what, k, psi_words(k), psi_words(k) / kMostWordsPerRow - 1, kMostWordsPerRow, rows - 1));
}

void require_psi(const Layout& layout, u64 rows) {
  require_words("a psi layout", layout.k, rows);
}

void fill_psi(Index& index, const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool) {
  const Layout& layout = index.layout;
  const u64 starts_bytes = psi_entries_offset(layout.k), entries_bytes = bwt.rows * 4 + kPsiSpareBytes;
  require_host_memory(starts_bytes + 2 * entries_bytes, "psi of every row");
  HugeBuffer table(starts_bytes + entries_bytes);
  const std::span<u32> starts = words_of(table), entries = words_of(table, starts_bytes);
  fill_starts(starts, layout.k, rank, pool);
  {
    HugeBuffer room(entries_bytes);
    fill_entries(entries, words_of(room), layout.k, bwt, pool);
  }
  index.view.short_rows = short_rows(rank, layout.k);
  index.entries =
      layout.kind == LayoutKind::psi ? std::move(table) : make_lines(layout, starts, entries, pool);
}

}  // namespace gpuseq::fm_index
