#pragma once

#include <algorithm>

#include "kernels/fm_index/data/verify.hpp"
#include "kernels/fm_index/walk.hpp"

namespace gpuseq::fm_index {

/// The plainest search of a text with its suffix array, a base at a time:
/// the reference of the tests and of the traffic counts; not timed.
class VerifyWalker {
 public:
  explicit VerifyWalker(const Index& index)
      : layout_(index.layout),
        view_(index.view),
        text_(index.view.entries + verify_text_offset(layout_.k, layout_.row_bytes, view_.rows)) {}

  u32 start(u64 word) const { return read(view_.entries + 4 * word); }
  u32 length(u32 row) const { return read(row_at(row)); }
  /// The key of rows of 8 bytes.
  u32 key(u32 row) const { return read(row_at(row) + 4); }

  /// Base i, from 0, of a suffix, and of a packed query, in the order of the text.
  u32 base_of_suffix(u32 length, u32 i) const {
    const u64 symbol = u64{64} + length - 1 - i;
    return text_[symbol / 4] >> (2 * (symbol % 4)) & 3;
  }
  static u32 base_of_query(const u32* packed, u32 bases, u32 i) {
    return static_cast<u32>(Walker::symbols(packed, bases - 1 - i, 1));
  }

  /// First bases that a row's suffix has in common with a query.
  u32 in_common(const u32* packed, u32 bases, u32 row) const {
    const u32 most = std::min(bases, length(row));
    u32 i = 0;
    while (i < most && base_of_suffix(length(row), i) == base_of_query(packed, bases, i)) ++i;
    return i;
  }
  /// Order of a row's suffix and a query: -1 it is smaller, 0 it begins with it, 1 it is larger.
  i32 order(const u32* packed, u32 bases, u32 row) const {
    const u32 same = in_common(packed, bases, row);
    if (same == bases) return 0;
    if (same == length(row)) return -1;
    return base_of_suffix(length(row), same) < base_of_query(packed, bases, same) ? -1 : 1;
  }

  /// The word of the first k bases of a query that is longer.
  u32 word(const u32* packed, u32 bases) const {
    return static_cast<u32>(Walker::symbols(packed, bases - layout_.k, layout_.k));
  }

  Interval<u32> search(const u32* packed, u32 bases) const {
    if (bases <= layout_.k)
      return psi_interval(view_.short_rows, layout_.k, bases, Walker::symbols(packed, 0, bases),
                          [this](u64 of) { return start(of); });
    const u32 of = word(packed, bases), begin = start(of), end = start(u64{of} + 1);
    const auto first = [&](u32 from, i32 most) {
      u32 low = from, high = end;
      while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (order(packed, bases, middle) <= most)
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    };
    const u32 l = first(begin, -1);
    return {l, first(l, 0)};
  }

 private:
  static u32 read(const u8* at) { return *reinterpret_cast<const u32*>(at); }
  const u8* row_at(u32 row) const {
    return view_.entries + verify_rows_offset(layout_.k) + u64{row} * layout_.row_bytes;
  }

  const Layout& layout_;
  const IndexView& view_;
  const u8* text_;
};

}  // namespace gpuseq::fm_index
