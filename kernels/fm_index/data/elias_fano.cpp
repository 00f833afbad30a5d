#include "kernels/fm_index/data/elias_fano.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/fm_index/data/psi.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr u32 kUnit = 4;

/// The rows of every word, ascending, from psi^k; see psi.cuh.
class RowsOfWords {
 public:
  RowsOfWords(u32 k, const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool) : k_(k) {
    table_.layout = {.kind = LayoutKind::psi, .k = k};
    fill_psi(table_, bwt, rank, pool);
  }
  u32 start(u64 word) const { return starts()[word]; }
  std::span<const u32> operator[](u64 word) const {
    const u32* const entries = reinterpret_cast<const u32*>(table_.entries.data() + psi_entries_offset(k_));
    u32 end = starts()[word + 1];
    while (end > start(word) && entries[end - 1] == kNoRow) --end;  // rows of no word
    return {entries + start(word), entries + end};
  }

 private:
  const u32* starts() const { return reinterpret_cast<const u32*>(table_.entries.data()); }
  u32 k_;
  Index table_;
};

u64 lines_of(u64 rows, u64 buckets) {
  return rows / (buckets * kBucketRows) + 1;
}

/// As many buckets a line as have d / 4^k entries, if that is not more than d rows.
u32 buckets_of(const Layout& layout, u64 rows, u64 members) {
  const u32 most = layout.d / kBucketRows;
  if (members == 0) return most;
  const double fill = static_cast<double>(layout.d) / static_cast<double>(layout.words());
  const double buckets = fill * static_cast<double>(rows) / static_cast<double>(members) / kBucketRows;
  return std::clamp(static_cast<u32>(std::min<double>(std::round(buckets), most)), 2u, most);
}

/// Calls each(line of the word, the entries of the line) for all lines of a word.
template <typename Each>
void for_each_line(std::span<const u32> members, u64 lines, u32 buckets, const Each& each) {
  auto next = members.begin();
  for (u64 line = 0; line < lines; ++line) {
    const u64 end_row = (line + 1) * buckets * kBucketRows;
    const auto end = std::find_if(next, members.end(), [&](u32 row) { return row >= end_row; });
    each(line, std::span<const u32>(next, end));
    next = end;
  }
}

u64 list_units(std::size_t members, u32 slots) {
  return members <= slots ? 0 : (2 * (1 + members - (slots - kEliasFanoPointer)) + kUnit - 1) / kUnit;
}

void set_bit(std::byte* line, u32 bit) {
  line[bit / 8] |= static_cast<std::byte>(1u << bit % 8);
}

/// @param first_row  of the line
/// @param unit  place of the list that the line goes on with, if it does
void write_line(const Layout& layout, std::byte* line, u32 counter, std::span<const u32> members,
                u64 first_row, u64 unit, std::byte* all) {
  const u32 slots = elias_fano_slots(layout.line_bytes, layout.d);
  const bool goes_on = members.size() > slots;
  const auto here = members.first(goes_on ? slots - kEliasFanoPointer : members.size());
  std::memcpy(line, &counter, sizeof counter);
  if (goes_on) set_bit(line, 32);
  for (u32 i = 0; i < here.size(); ++i) {
    const auto row = static_cast<u32>(here[i] - first_row);
    set_bit(line, 33 + i + row / kBucketRows);  // a zero behind each bucket before
    line[layout.line_bytes - 1 - i] = static_cast<std::byte>(row % kBucketRows);
  }
  if (!goes_on) return;
  const auto place = static_cast<u32>(unit);
  std::memcpy(line + layout.line_bytes - slots, &place, sizeof place);
  u16* list = reinterpret_cast<u16*>(all + unit * kUnit);
  const auto rest = members.subspan(here.size());
  *list++ = static_cast<u16>(rest.size());
  for (const u32 row : rest) *list++ = static_cast<u16>(row - first_row);
}

}  // namespace

u64 elias_fano_bytes(const Layout& layout, u64 rows) {
  return elias_fano_lines_offset(layout.k) +
         layout.words() * lines_of(rows, layout.d / kBucketRows) * layout.line_bytes;
}

u64 elias_fano_bytes_at_most(const Layout& layout, u64 rows, bool even) {
  if (even) return elias_fano_bytes(layout, rows) * 3 / 2;
  // A word of m rows has at most max(rows / d, 1.25 m 4^k / d) + 1 lines, as buckets_of() rounds; and a line
  // with more entries than slots has less than 2 bytes of a list per entry.
  const u64 lines = layout.words() * (9 * rows / (4 * u64{layout.d}) + 2);
  return elias_fano_lines_offset(layout.k) + lines * layout.line_bytes + 2 * rows;
}

std::string why_invalid_elias_fano(const Layout& layout) {
  if (layout.k < 1 || layout.k > 6)
    return fmt::format("k of an Elias-Fano layout: found {}, allowed: 1 to 6", layout.k);
  if (layout.line_bytes != 64 && layout.line_bytes != 128)
    return fmt::format("line_bytes of an Elias-Fano layout: found {}, allowed: 64, 128", layout.line_bytes);
  if (layout.d % kBucketRows != 0 || layout.d < kLeastLineRows || layout.d > kMostLineRows)
    return fmt::format("d of an Elias-Fano layout: found {}, allowed: a multiple of {} from {} to {}",
                       layout.d, kBucketRows, kLeastLineRows, kMostLineRows);
  return layout.wide ? "Elias-Fano layouts have rows of 32 bits and are not wide" : "";
}

void require_elias_fano(u64 rows) {
  require_words("an Elias-Fano layout", 1, rows);
}

void fill_elias_fano(Index& index, const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool) {
  const Layout& layout = index.layout;
  const RowsOfWords rows_of(layout.k, bwt, rank, pool);
  const u64 words = layout.words();
  const u32 slots = elias_fano_slots(layout.line_bytes, layout.d);

  std::vector<EliasFanoWord> table(words);
  std::vector<u64> units(words + 1), lines(words);
  pool.parallel_for(words, 1, [&](std::size_t begin, std::size_t end) {
    for (u64 w = begin; w < end; ++w) {
      const auto members = rows_of[w];
      table[w].buckets = buckets_of(layout, bwt.rows, members.size());
      table[w].reciprocal = elias_fano_reciprocal(table[w].buckets);
      lines[w] = lines_of(bwt.rows, table[w].buckets);
      for_each_line(members, lines[w], table[w].buckets,
                    [&](u64, auto own) { units[w + 1] += list_units(own.size(), slots); });
    }
  });
  u64 all_lines = 0;
  for (u64 w = 0; w < words; ++w) {
    table[w].first_line = static_cast<u32>(all_lines);
    all_lines += lines[w];
  }
  units[0] = (elias_fano_lines_offset(layout.k) + all_lines * layout.line_bytes) / kUnit;
  for (u64 w = 0; w < words; ++w) units[w + 1] += units[w];
  if (units.back() >= u64{1} << 32)
    throw DoesNotFit(fmt::format("Elias-Fano lists: more than 2^32 units of {} bytes", kUnit));

  require_host_memory(units.back() * kUnit, "the index");
  index.entries = HugeBuffer(units.back() * kUnit);
  std::byte* const all = index.entries.data();
  std::memcpy(all, table.data(), words * sizeof(EliasFanoWord));
  pool.parallel_for(words, 1, [&](std::size_t begin, std::size_t end) {
    for (u64 w = begin; w < end; ++w) {
      u64 unit = units[w];
      u32 counter = rows_of.start(w);
      for_each_line(rows_of[w], lines[w], table[w].buckets, [&](u64 line, auto own) {
        std::byte* const at =
            all + elias_fano_lines_offset(layout.k) + (table[w].first_line + line) * layout.line_bytes;
        write_line(layout, at, counter, own, line * table[w].buckets * kBucketRows, unit, all);
        counter += static_cast<u32>(own.size());
        unit += list_units(own.size(), slots);
      });
    }
  });
}

}  // namespace gpuseq::fm_index
