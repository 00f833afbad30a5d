#pragma once

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/data/word_tables.hpp"
#include "kernels/exact_match/library/engine.hpp"

namespace gpuseq::exact_match {

/// Parameters of an engine that searches on a GPU.
struct CudaEnginePoint {
  MatchPolicy policy;
  WordLetters letters;  // lengths of k-mer tables, if the policy has them
  bool sorted;          // threads take strands in the order of their first letters
  const void* kernel;   // the policy's kernel, for cudaLaunchKernel()
};

/// @param tree  must outlive the engine, as must the threads
/// @param device  an existing device
/// @throws ResourceError if the tree does not fit the device
std::unique_ptr<Engine> make_cuda_engine(const SuffixTree& tree, const Search& search,
                                         const CudaEnginePoint& point, int device, ThreadPool& pool);

}  // namespace gpuseq::exact_match
