#pragma once

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/data/word_tables.hpp"
#include "kernels/exact_match/library/engine.hpp"

namespace gpuseq::exact_match {

/// How an engine searches on a GPU.
struct CudaEnginePoint {
  MatchPolicy policy;
  WordLetters letters;  // of tables of words, where the policy has them
  bool sorted;          // threads take strands in the order of their first letters
  const void* kernel;   // of the policy, as cudaLaunchKernel() takes it
};

/// @param tree  must outlive the engine, as must the threads
/// @param device  that there is
/// @throws ResourceError if the tree does not fit there
std::unique_ptr<Engine> make_cuda_engine(const SuffixTree& tree, const Search& search,
                                         const CudaEnginePoint& point, int device, ThreadPool& pool);

}  // namespace gpuseq::exact_match
