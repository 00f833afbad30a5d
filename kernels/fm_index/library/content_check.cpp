#include "kernels/fm_index/library/content_check.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <mutex>

#include "kernels/fm_index/data/blocks.hpp"
#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/psi.cuh"

namespace gpuseq::fm_index {
namespace {

constexpr std::size_t kBlocksPerTask = 4096;

/// Keeps the first place that was found, by its byte.
class Findings {
 public:
  void add(bool prefix, u64 byte, std::string problem) {
    const std::lock_guard lock(mutex_);
    if (!first_ || byte < first_->byte) first_ = Unsafe{prefix, byte, std::move(problem)};
  }
  std::optional<Unsafe> first() const { return first_; }

 private:
  std::mutex mutex_;
  std::optional<Unsafe> first_;
};

template <typename T>
T load(const u8* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Entries of sampled layouts: the difference of a word's counters between two entries is its count there.
class SampledCheck {
 public:
  SampledCheck(const Layout& layout, const IndexView& view)
      : layout_(layout),
        view_(view),
        blocks_(divide(layout, view.rows, kSuperblockRows).blocks),
        step_(layout.alternate() ? 2 : 1),
        entries_per_superblock_(layout.wide ? view.superblock_rows / layout.d : blocks_) {}

  u64 blocks() const { return blocks_; }

  void check(u64 entry, Findings& findings) const {
    std::array<u64, kWords> own{}, all{};
    count(entry, layout_.d, own);
    all = own;
    if (layout_.alternate() && entry + 1 < blocks_) count(entry + 1, layout_.d, all);
    const u32 first = layout_.alternate() && entry % 2 == 1 ? layout_.words() / 2 : 0;
    for (u32 w = first; w < first + layout_.counters(); ++w) {
      const u64 here = counter(entry, w);
      if (entry == 1 && layout_.alternate() && here < counted_before(w))
        report(findings, entry, w, here, "at least the counter of the entry before");
      if (entry + step_ < blocks_ && counter(entry + step_, w) != here + all[w])
        report(findings, entry + step_, w, counter(entry + step_, w), fmt::format("{}", here + all[w]));
    }
    if (entry == view_.rows / layout_.d) check_end(entry, findings);
  }

  /// Every row that is taken off when counting is one that was counted.
  void check_dollars(Findings& findings) const {
    for (u32 j = 0; j < layout_.k; ++j) {
      const u64 row = view_.dollar.row[j];
      if (row == ~u64{0}) continue;
      bool listed_before = false;
      for (u32 i = 0; i < j; ++i) listed_before |= view_.dollar.row[i] == row;
      if (listed_before || word_at(row) != view_.dollar.word[j])
        findings.add(false, row / layout_.d * layout_.entry_bytes(),
                     fmt::format("row {} of $: its word is {}, allowed: {}, once", row, word_at(row),
                                 view_.dollar.word[j]));
    }
  }

 private:
  static constexpr u32 kWords = 1u << (2 * kMaxK);

  const u8* at(u64 entry) const { return view_.entries + entry * layout_.entry_bytes(); }
  u64 counter(u64 entry, u32 word) const {
    const u32 slot = word & (layout_.counters() - 1);  // a power of two
    u64 count = load<u32>(at(entry) + u64{4} * slot);
    if (layout_.wide) count += view_.superblocks[entry / entries_per_superblock_ * layout_.words() + word];
    return count;
  }
  u32 word_at(u64 row) const {
    const u8* chunk =
        at(row / layout_.d) + layout_.bitmap_offset() + row % layout_.d / 64 * layout_.chunk_bytes();
    u32 word = 0;
    for (u32 j = 0; j < layout_.k; ++j) {
      word |= static_cast<u32>(load<u64>(chunk + u64{16} * j) >> (row % 64) & 1) << (2 * j);
      word |= static_cast<u32>(load<u64>(chunk + u64{16} * j + 8) >> (row % 64) & 1) << (2 * j + 1);
    }
    return word;
  }
  /// Adds to counts[w] the first `rows` rows of an entry that hold w.
  void count(u64 entry, u32 rows, std::array<u64, kWords>& counts) const {
    std::array<u64, kWords> masks;
    const u8* chunk = at(entry) + layout_.bitmap_offset();
    for (u32 c = 0; c * 64 < rows; ++c, chunk += layout_.chunk_bytes()) {
      masks[0] = first_rows(std::min(rows - 64 * c, 64u));
      u32 words = 1;
      for (u32 j = 0; j < layout_.k; ++j, words *= 4)
        for (u32 s = 4; s-- > 0;)  // symbol 0 last: it overwrites the source of the others
          for (u32 w = 0; w < words; ++w)
            masks[s * words + w] = masks[w] & match_column(load<u64>(chunk + u64{16} * j),
                                                           load<u64>(chunk + u64{16} * j + 8), s);
      for (u32 w = 0; w < words; ++w) counts[w] += popcount64(masks[w]);
    }
  }
  u64 counted_before(u32 word) const {
    std::array<u64, kWords> counts{};
    count(0, layout_.d, counts);
    return counts[word];
  }

  /// No step from the last row leads behind it.
  void check_end(u64 entry, Findings& findings) const {
    std::array<u64, kWords> before{}, whole{};
    count(entry, static_cast<u32>(view_.rows % layout_.d), before);
    count(entry, layout_.d, whole);
    for (u32 w = 0; w < layout_.words(); ++w) {
      const bool next = layout_.alternate() && (w >= layout_.words() / 2) != (entry % 2 == 1);
      const u64 base = counter(entry + (next ? 1 : 0), w) - (next ? whole[w] : 0);
      const u64 end = base + before[w] - dollar_correction<kMaxK>(view_.dollar, w, view_.rows);
      if (end > view_.rows) report(findings, entry, w, end, fmt::format("at most {}", view_.rows));
    }
  }

  void report(Findings& findings, u64 entry, u32 word, u64 found, const std::string& allowed) const {
    findings.add(false, entry * layout_.entry_bytes(),
                 fmt::format("entry {}: rows smaller than word {}: found {}, allowed: {}", entry, word, found,
                             allowed));
  }

  Layout layout_;
  const IndexView& view_;
  u64 blocks_, step_, entries_per_superblock_;
};

void check_one_hot(const Layout& layout, const IndexView& view, u64 number, Findings& findings) {
  const u32 bytes = layout.entry_bytes();
  const u64 word = number / view.blocks_per_word, block = number % view.blocks_per_word;
  const u64 per_superblock = view.superblock_rows / layout.d;
  const auto counter = [&](u64 of) {
    u64 count = load<u32>(view.entries + (word * view.blocks_per_word + of) * bytes);
    if (layout.wide) count += view.superblocks[of / per_superblock * layout.words() + word];
    return count;
  };
  const u64 last = view.rows / layout.d;
  const u32 rows = block == last ? static_cast<u32>(view.rows % layout.d) : layout.d;
  u64 found = counter(block);
  for (u32 i = 0; 32 * i < rows; ++i) {
    const u64 bits = load<u32>(view.entries + number * bytes + 4 + u64{4} * i);
    found += popcount64(bits & first_rows(std::min(rows - 32 * i, 32u)));
  }
  const bool right = block == last ? found <= view.rows : counter(block + 1) == found;
  if (!right)
    findings.add(false, number * bytes,
                 fmt::format("word {}, block {}: counts lead to {}, allowed: {}", word, block, found,
                             block == last ? fmt::format("at most {}", view.rows)
                                           : fmt::format("{}, as the next block says", counter(block + 1))));
}

void check_psi_start(const Layout& layout, const IndexView& view, u64 word, Findings& findings) {
  const u32 start = load<u32>(view.entries + 4 * word);
  const bool last = word == psi_words(layout.k);
  if (last ? start != view.rows : start > load<u32>(view.entries + 4 * word + 4))
    findings.add(
        false, 4 * word,
        fmt::format("start of word {}: found {}, allowed: ascending up to {}", word, start, view.rows));
}

void check_psi_line(const Layout& layout, const IndexView& view, u64 entries_bytes, u64 word,
                    Findings& findings) {
  const u8* line = view.entries + word * layout.line_bytes;
  const u32 slots = psi_slots(layout.line_bytes);
  const auto slot = [&](u32 i) { return load<u32>(line + 4 + u64{4} * i); };
  u64 members = 0;
  for (u32 i = 0; i < slots; ++i) members += slot(i) < view.rows ? 1 : 0;
  if (slots >= 3 && slot(slots - 3) > slot(slots - 2)) {  // the others are elsewhere
    const u64 offset = u64{slot(slots - 1)} * kPsiUnit;
    const u64 count = offset + 4 > entries_bytes ? entries_bytes : load<u32>(view.entries + offset);
    if (offset + 4 + 4 * count > entries_bytes)
      return findings.add(false, word * layout.line_bytes,
                          fmt::format("line {}: {} entries at byte {}, allowed: up to {}", word, count,
                                      offset, entries_bytes));
    members = slots - 1 + count;
  }
  if (load<u32>(line) + members > view.rows)
    findings.add(
        false, word * layout.line_bytes,
        fmt::format("line {}: rows up to {}, allowed: {}", word, load<u32>(line) + members, view.rows));
}

template <typename Position>
void check_prefix(const IndexView& view, u64 slot, Findings& findings) {
  const Interval<Position>& interval = static_cast<const Interval<Position>*>(view.prefix)[slot];
  if (interval.l > interval.h || interval.h > view.rows)
    findings.add(true, slot * sizeof interval,
                 fmt::format("interval {}: found ({}, {}), allowed: ascending up to {}", slot, interval.l,
                             interval.h, view.rows));
}

/// Calls check(i) for i of [0, n), shared out.
template <typename Check>
void for_all(u64 n, ThreadPool& pool, const Check& check) {
  pool.parallel_for(n, kBlocksPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i) check(i);
  });
}

void check_short_rows(const Layout& layout, const IndexView& view, Findings& findings) {
  const ShortRows& rows = view.short_rows;
  for (u32 i = 0; i < rows.count; ++i) {
    const u64 at = u64{layout.entry_bytes()} * rows.word[i];  // of its start, in tables and in lines
    if (load<u32>(view.entries + at) < short_rows_before(rows, rows.word[i], 0))
      findings.add(false, at,
                   fmt::format("start of word {}: found {}, allowed: at least the short suffixes before it",
                               rows.word[i], load<u32>(view.entries + at)));
  }
}

}  // namespace

std::optional<Unsafe> find_unsafe(const Layout& layout, const IndexView& view, u64 entries_bytes,
                                  u64 prefix_bytes, ThreadPool& pool) {
  Findings findings;
  if (layout.psi()) {
    const u64 words = psi_words(layout.k);
    check_short_rows(layout, view, findings);
    if (layout.kind == LayoutKind::psi)
      for_all(words + 1, pool, [&](u64 word) { check_psi_start(layout, view, word, findings); });
    else
      for_all(words, pool, [&](u64 word) { check_psi_line(layout, view, entries_bytes, word, findings); });
  } else if (layout.one_hot()) {
    for_all(view.blocks_per_word * layout.words(), pool,
            [&](u64 block) { check_one_hot(layout, view, block, findings); });
  } else {
    const SampledCheck check(layout, view);
    for_all(check.blocks(), pool, [&](u64 entry) { check.check(entry, findings); });
    check.check_dollars(findings);
  }
  if (auto found = findings.first()) return found;
  const u64 interval_bytes = layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  for_all(prefix_bytes / interval_bytes, pool, [&](u64 slot) {
    if (layout.wide)
      check_prefix<u64>(view, slot, findings);
    else
      check_prefix<u32>(view, slot, findings);
  });
  return findings.first();
}

}  // namespace gpuseq::fm_index
