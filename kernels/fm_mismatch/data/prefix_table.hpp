#pragma once

#include <memory>

#include "kernels/fm_mismatch/data/node.cuh"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_mismatch {

/// The node of a search after each k-mer, in host memory. It has no rows if the text lacks the k-mer.
/// Movable.
struct PrefixTable {
  u32 symbols = 0;  // bases of the k-mers; 0: no table
  HugeBuffer nodes;
  double build_s = 0;
  /// The CUDA sessions' copy in device memory, which must not outlive the device.
  mutable std::shared_ptr<const void> device_copy;
};

u64 prefix_bytes(u32 symbols);

/// @param index  without a prefix table
/// @param symbols  at most kMostPrefixSymbols
/// @throws DoesNotFit if the host's memory cannot hold it
PrefixTable build_prefix_table(const IndexView& index, u32 symbols, ThreadPool& pool);

/// @param table  must outlive the view
IndexView with_table(IndexView index, const PrefixTable& table);

}  // namespace gpuseq::fm_mismatch
