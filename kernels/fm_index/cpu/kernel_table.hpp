#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "kernels/fm_index/cpu/search.hpp"

namespace gpuseq::fm_index {

/// The properties of a layout that kernels are compiled for; the rest are run-time values.
struct KernelShape {
  u32 k = 1;
  bool wide = false;
  bool alternate = false;  // sampled only
  bool one_chunk = false;  // sampled only: d = 64, no division and no loop over chunks
  u32 one_hot_d = 0;       // one-hot only

  static constexpr std::size_t kSampledShapes = std::size_t{kMaxK} * 8;
  static constexpr std::size_t kOneHotShapes = std::size_t{kMaxK} * 4;

  static constexpr KernelShape sampled(std::size_t i) {
    return {static_cast<u32>(i / 8) + 1, (i & 1) != 0, (i & 2) != 0, (i & 4) != 0, 0};
  }
  static constexpr KernelShape one_hot(std::size_t i) {
    return {static_cast<u32>(i / 4) + 1, (i & 1) != 0, false, false, (i & 2) != 0 ? 480u : 224u};
  }
  static constexpr std::size_t index(const Layout& layout) {
    if (layout.one_hot()) return (layout.k - 1) * 4 + (layout.wide ? 1 : 0) + (layout.d == 480 ? 2 : 0);
    return (layout.k - 1) * 8 + (layout.wide ? 1 : 0) + (layout.alternate() ? 2 : 0) +
           (layout.d == 64 ? 4 : 0);
  }
  /// Sampled shapes: an entry has one chunk.
  constexpr Layout one_chunk_layout() const {
    return {.kind = alternate ? LayoutKind::alternate : LayoutKind::full, .k = k, .d = 64, .wide = wide};
  }
  /// @param layout  sampled or one-hot
  static constexpr KernelShape of(const Layout& layout) {
    return layout.one_hot() ? one_hot(index(layout)) : sampled(index(layout));
  }
};

}  // namespace gpuseq::fm_index
