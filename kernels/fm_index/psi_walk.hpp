#pragma once

#include <algorithm>
#include <span>

#include "kernels/fm_index/data/psi.hpp"
#include "kernels/fm_index/walk.hpp"

namespace gpuseq::fm_index {

/// The plainest search of a psi layout on the host: psi.cuh read literally.
/// The reference of the tests and of the traffic counts; not timed.
class PsiWalker {
 public:
  explicit PsiWalker(const Index& index) : layout_(index.layout), view_(index.view) {}

  /// Where in IndexView::entries a word's entries are: rows start ... start + first.size() + rest.size().
  struct Entries {
    u32 start;
    std::span<const u32> first;  // in the line, or all
    std::span<const u32> rest;   // of lines: entries without a slot
    u64 first_at, rest_at;       // offsets in bytes
  };

  Entries entries(u32 word) const {
    return layout_.kind == LayoutKind::psi ? entries_of_table(word) : entries_of_line(word);
  }

  /// Whether a row begins with the word. If not, its start is the interval of every query that begins with
  /// it.
  bool occurs(u32 word) const { return !entries(word).first.empty(); }

  u32 start(u64 word) const {
    if (word == psi_words(layout_.k)) return static_cast<u32>(view_.rows);
    return read(word * layout_.entry_bytes());
  }

  /// LF by one word of k symbols.
  u64 step(u32 word, u64 position) const {
    const Entries all = entries(word);
    const auto smaller = [position](std::span<const u32> ascending) {
      return static_cast<u64>(std::ranges::lower_bound(ascending, position) - ascending.begin());
    };
    const auto in_slots = [position](std::span<const u32> slots) {
      return static_cast<u64>(std::ranges::count_if(slots, [&](u32 entry) { return entry < position; }));
    };
    return all.start + (layout_.kind == LayoutKind::psi ? smaller(all.first) : in_slots(all.first)) +
           smaller(all.rest);
  }

  /// Whether the prefix table answers the first symbols of a query.
  bool from_prefix(u32 symbols) const { return symbols <= view_.prefix_symbols; }
  Interval<u64> opening(u32 symbols, u64 word) const {
    const Interval<u32> interval =
        from_prefix(symbols)
            ? static_cast<const Interval<u32>*>(view_.prefix)[prefix_slot(symbols, word)]
            : psi_interval(view_.short_rows, layout_.k, symbols, word, [&](u64 of) { return start(of); });
    return {interval.l, interval.h};
  }

  /// Interval of a packed query; on_step(word, l, h) is called before each step.
  template <typename OnStep>
  Interval<u64> search(const u32* packed, u32 bases, OnStep&& on_step) const {
    const u32 taken = prefix_length(bases, view_.prefix_symbols, layout_.k);
    Interval<u64> interval = opening(taken, Walker::symbols(packed, 0, taken));
    for (u32 at = taken; at < bases; at += layout_.k) {
      const u32 word = static_cast<u32>(Walker::symbols(packed, at, layout_.k));
      on_step(word, interval.l, interval.h);
      interval = {step(word, interval.l), step(word, interval.h)};
    }
    return interval;
  }
  Interval<u64> search(const u32* packed, u32 bases) const {
    return search(packed, bases, [](u32, u64, u64) {});
  }

 private:
  u32 read(u64 at) const { return *reinterpret_cast<const u32*>(view_.entries + at); }
  std::span<const u32> read(u64 at, std::size_t count) const {
    return {reinterpret_cast<const u32*>(view_.entries + at), count};
  }

  Entries entries_of_table(u32 word) const {
    const u32 first = start(word);
    u32 end = start(u64{word} + 1);
    const u64 at = psi_entries_offset(layout_.k);
    while (end > first && read(at + 4 * (u64{end} - 1)) == kNoRow) --end;
    return {first, read(at + u64{4} * first, end - first), {}, at + u64{4} * first, 0};
  }

  Entries entries_of_line(u32 word) const {
    const u64 at = u64{word} * layout_.line_bytes;
    const u32 slots = psi_slots(layout_.line_bytes);
    const auto slot = read(at + 4, slots);
    if (slot[slots - 3] > slot[slots - 2]) {
      const u64 rest_at = u64{slot[slots - 1]} * kPsiUnit;
      return {read(at), slot.first(slots - 1), read(rest_at + 4, read(rest_at)), at + 4, rest_at + 4};
    }
    std::size_t used = slots;
    while (used > 0 && slot[used - 1] == kNoRow) --used;
    return {read(at), slot.first(used), {}, at + 4, 0};
  }

  const Layout& layout_;
  const IndexView& view_;
};

}  // namespace gpuseq::fm_index
