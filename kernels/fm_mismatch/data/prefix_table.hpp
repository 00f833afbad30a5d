#pragma once

#include <memory>

#include "kernels/fm_mismatch/data/node.cuh"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_mismatch {

/// What searches have matched after each word of so many bases, in host memory: nodes, of no rows where the
/// text lacks the word. Movable.
struct PrefixTable {
  u32 symbols = 0;  // 0: none
  HugeBuffer nodes;
  double build_s = 0;
  /// The CUDA sessions' copy in device memory, which must not outlive the device.
  mutable std::shared_ptr<const void> device_copy;
};

u64 prefix_bytes(u32 symbols);

/// @param index  without a table of its own
/// @param symbols  kMostPrefixSymbols at most
/// @throws DoesNotFit if the host's memory cannot hold it
PrefixTable build_prefix_table(const IndexView& index, u32 symbols, ThreadPool& pool);

/// @param table  that must outlive the view
IndexView with_table(IndexView index, const PrefixTable& table);

}  // namespace gpuseq::fm_mismatch
