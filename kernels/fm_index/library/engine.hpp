#pragma once

#include <memory>
#include <span>

#include "kernels/fm_index/library/index_file.hpp"

namespace gpuseq::fm_index {

/// Queries as searches read them, in host memory.
struct PackedBatch {
  QueryView view{};
  std::span<const u32> packed;  // view.packed
};

/// How an engine is made.
struct EngineOptions {
  int device = 0;
  bool in_memory = false;
};

/// The search engine of an index: the only difference between libraries for CPUs and for CUDA.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Overwrites the interval of every query. @param intervals  [queries.view.count]
  /// @throws ResourceError
  virtual void search(const PackedBatch& queries, std::span<Interval<u64>> intervals) = 0;
};

/// @param file  must outlive the engine, as must the threads
/// @throws ResourceError if there is no such device, or not enough memory
std::unique_ptr<Engine> make_engine(const IndexFile& file, const EngineOptions& options, ThreadPool& pool);

}  // namespace gpuseq::fm_index
