#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/data/word_tables.hpp"

namespace gpuseq::exact_match {

/// A point of a CUDA variant: its kernel's policy, and the data that the host prepares.
struct MatchPoint {
  MatchPolicy policy = {};
  bool sorted = false;  // threads take strands in the order of their first letters, otherwise in file order
  bool ahead_of_time = false;
  u64 memory_bytes = 0;      // memory budget on the device; 0: all memory
  WordLetters letters = {};  // lengths of the k-mer tables, reduced to min_length by keep_to()

  /// Limits k-mers to the length of a match.
  void keep_to(u32 min_length) {
    letters.prefix = std::min(letters.prefix, min_length);
    letters.filter = std::min(letters.filter, min_length);
  }
};

/// A CUDA variant: its space, and the meaning of a complete point.
struct CudaTraversal {
  std::string_view name, summary;
  SearchSpace (*space)();
  MatchPoint (*at)(const Point& point);
};
/// The paper's traversal, the same with k-mer tables, and that on several GPUs.
extern const CudaTraversal kTreeGpu, kTreeWordsGpu, kTreeWordsGpus;

const TunedKernel<MatchPolicy>& match_kernels();
/// The device sources by include path; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// The source that nvcc compiles at build time; a build step prints it.
std::string ahead_of_time_text();

}  // namespace gpuseq::exact_match
