#pragma once

#include <string_view>

#include "kernels/fm_index/data/layout.cuh"

// The point that an exported library is fixed to. `export` writes this file again;
// here it is a usual one, so that the code that depends on it is compiled and tested.

namespace gpuseq::fm_index {

inline constexpr std::string_view kExportedPoint = "prefetch k=2,d=64,counters=full,prefix_symbols=4";

/// The layout for a text that is not wide.
inline constexpr Layout kExportedLayout{.k = 2, .d = 64};
inline constexpr u32 kExportedPrefixSymbols = 4;

}  // namespace gpuseq::fm_index
