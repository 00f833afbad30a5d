#pragma once

#include "kernels/fm_index/data/layout.cuh"

namespace gpuseq::fm_index {

/// The cache lines of a sampled entry that a step reads whatever its word and row: all chunks, as a
/// kernel that skipped some would branch unpredictably on the row, and the counters where they are few
/// enough to fit next to the chunks in every case. They are fetched at first, first + 64, ... before
/// `end`, and, where `last_apart`, at end - 1: in some entries it lies in a line that those miss.
struct EntryLines {
  u32 first, end;
  bool last_apart = false;

  explicit constexpr EntryLines(const Layout& layout)
      : first(with_counters(layout) ? 0 : layout.bitmap_offset()),
        end(layout.bitmap_offset() + layout.chunks() * layout.chunk_bytes()) {
    const u32 fetched = (end - first + 63) / 64;
    for (u32 start = 0; start < 64; start += 32) {
      if (layout.entry_bytes() % 64 == 0 && start > 0) break;
      last_apart |= (start + end - 1) / 64 - (start + first) / 64 + 1 > fetched;
    }
  }

  /// No other counter is ever read, so that these need no fetch of their own.
  static constexpr bool with_counters(const Layout& layout) { return layout.k == 1 && !layout.alternate(); }
};

}  // namespace gpuseq::fm_index
