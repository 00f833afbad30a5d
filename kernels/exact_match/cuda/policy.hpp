#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/data/word_tables.hpp"

namespace gpuseq::exact_match {

/// A point of a CUDA variant: what its kernel is compiled for, and what the host prepares for it.
struct MatchPoint {
  MatchPolicy policy = {};
  bool sorted = false;  // threads take strands in the order of their first letters, else as they come
  bool ahead_of_time = false;
  u64 memory_bytes = 0;      // of the device that a session keeps to; 0: all that there is
  WordLetters letters = {};  // a filter of more than min_length letters is to be made with so many instead

  /// Words of no more letters than a match.
  void keep_to(u32 min_length) {
    letters.prefix = std::min(letters.prefix, min_length);
    letters.filter = std::min(letters.filter, min_length);
  }
};

/// A CUDA variant: its space, and what a complete point means.
struct CudaTraversal {
  std::string_view name, summary;
  SearchSpace (*space)();
  MatchPoint (*at)(const Point& point);
};
/// The paper's traversal, and the same with tables of words.
extern const CudaTraversal kTreeGpu, kTreeWordsGpu;

const TunedKernel<MatchPolicy>& match_kernels();
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// The text of what nvcc compiles when the program is built; a build step prints it.
std::string ahead_of_time_text();

}  // namespace gpuseq::exact_match
