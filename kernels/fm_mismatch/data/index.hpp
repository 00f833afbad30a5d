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

/// A bidirectional index in host memory with the view of it. Movable.
struct Index {
  HugeBuffer forward, reverse;
  IndexView view{};
  double build_s = 0;
  bool from_cache = false;  // whether the reversed text was there sorted; else that is in build_s
  std::string note = {};    // what is wrong with what the cache has of it
  /// The CUDA sessions' copy in device memory, which must not outlive the device.
  mutable std::shared_ptr<const void> device_copy;

  u64 bytes() const { return forward.size() + reverse.size(); }
  double bits_per_base() const { return 8.0 * static_cast<double>(bytes()) / (view.rows - 1.0); }
};

/// Of one side of a text of `bases`.
u64 bytes_of_side(u64 bases);

/// @param bwt, rank  of the text, which has at most fm_locate::kMostBases
/// @param cache_dir  where the reversed text is kept sorted, as BwtCache keeps the text; empty: nowhere
/// @throws DoesNotFit if the host's memory cannot hold it
Index build_index(std::span<const u8> text, const fm_index::Bwt& bwt, const fm_index::ColumnRank& rank,
                  const std::filesystem::path& cache_dir, ThreadPool& pool);

}  // namespace gpuseq::fm_mismatch
