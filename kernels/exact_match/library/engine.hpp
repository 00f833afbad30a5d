#pragma once

#include <memory>

#include "kernels/exact_match/data/suffix_tree.hpp"
#include "kernels/exact_match/matches.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

/// Searches a tree: the only difference between libraries for CPUs and for CUDA.
class Engine {
 public:
  virtual ~Engine() = default;
  /// The most queries per call of find().
  virtual u64 most_queries() const = 0;
  /// The matches of all queries, at positions of the tree's text. @throws ResourceError
  virtual MatchList find(const Queries& queries) = 0;
};

/// @param tree  must outlive the engine, as must the threads
/// @param device  a CUDA device; CPU libraries ignore it
/// @throws UsageError if there is no such device; ResourceError if there is none, or not enough memory
std::unique_ptr<Engine> make_engine(const SuffixTree& tree, const Search& search, int device,
                                    ThreadPool& pool);

}  // namespace gpuseq::exact_match
