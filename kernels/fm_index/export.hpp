#pragma once

#include <string>
#include <string_view>

#include "kernels/fm_index/data/layout.cuh"
#include "runtime/contract/exported_library.hpp"

namespace gpuseq::fm_index {

/// The code of a CPU variant's point: how its library searches, in C++.
struct CpuSearchText {
  std::string_view source;  // that has the kernel
  std::string kernel;       // an expression of `layout`
  std::string job;          // statements that set `job`
};

/// @param point  of which the words are: "prefetch k=1,d=64"
ExportedLibrary exported_for_cpu(std::string_view point, const Layout& layout, u32 prefix_symbols,
                                 const CpuSearchText& text);

/// The common part of both kinds of libraries; the caller adds how it searches.
ExportedLibrary exported_library(std::string_view point, const Layout& layout, u32 prefix_symbols);

}  // namespace gpuseq::fm_index
