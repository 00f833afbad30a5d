#pragma once

#include <memory>

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_locate/data/line.cuh"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {
class ColumnRank;
}

namespace gpuseq::fm_locate {

/// The rows that have a sample. Determines the size of an index.
struct Layout {
  u32 rate = 32;              // a power of two
  bool in_text_order = true;  // else in the order of rows

  constexpr bool marked() const { return in_text_order && rate > 1; }
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Texts of this many bases or more have positions that do not fit in 32 bits.
inline constexpr u64 kMostBases = (u64{1} << 32) - 2;

/// An index in host memory with its view. Movable.
struct Index {
  Layout layout;
  HugeBuffer lines, samples;
  IndexView view{};
  double build_s = 0;
  /// The CUDA sessions' copy in device memory, which must not outlive the device.
  mutable std::shared_ptr<const void> device_copy;

  u64 bytes() const { return lines.size() + samples.size(); }
  double bits_per_base() const { return 8.0 * static_cast<double>(bytes()) / (view.rows - 1.0); }
};

/// Sizes for a text of `bases`.
u64 bytes_of_lines(const Layout& layout, u64 bases);
u64 bytes_of_samples(const Layout& layout, u64 bases);

/// @param bwt, rank, suffixes  of a text of at most kMostBases
/// @throws DoesNotFit if the host's memory cannot hold it
Index build_index(const Layout& layout, const fm_index::Bwt& bwt, const fm_index::ColumnRank& rank,
                  const fm_index::SuffixArray& suffixes, ThreadPool& pool);

}  // namespace gpuseq::fm_locate
