#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "kernels/fm_mismatch/data/line.cuh"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {
struct Bwt;
class ColumnRank;
}  // namespace gpuseq::fm_index

namespace gpuseq::fm_mismatch {

/// A bidirectional index in host memory with its view. Movable.
struct Index {
  HugeBuffer forward, reverse;
  IndexView view{};
  double build_s = 0;
  bool from_cache = false;  // the sorted reversed text is from the cache; else build_s includes sorting
  std::string note = {};    // problem with the cache's entry for it
  /// The CUDA sessions' copy in device memory, which must not outlive the device.
  mutable std::shared_ptr<const void> device_copy;

  u64 bytes() const { return forward.size() + reverse.size(); }
  double bits_per_base() const { return 8.0 * static_cast<double>(bytes()) / (view.rows - 1.0); }
};

/// Size of one side for a text of `bases`.
u64 bytes_of_side(u64 bases);

/// @param bwt, rank  of the text, which has at most fm_locate::kMostBases bases
/// @param cache_dir  cache of the sorted reversed text, as BwtCache caches the text; empty: no cache
/// @throws DoesNotFit if the host's memory cannot hold it
Index build_index(std::span<const u8> text, const fm_index::Bwt& bwt, const fm_index::ColumnRank& rank,
                  const std::filesystem::path& cache_dir, ThreadPool& pool);

}  // namespace gpuseq::fm_mismatch
