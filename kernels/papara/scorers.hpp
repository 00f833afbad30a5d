#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/papara/problem.hpp"

// What does the scoring of a part of a problem: the sessions of the variants stand on these, and the workers
// of `hybrid` take from one queue with them.

namespace gpuseq::papara {

/// Scores one group of references (as many as a vector has lanes) against some queries. Reentrant: any number
/// of threads may call score() at a time on different parts.
class CpuScorer {
 public:
  virtual ~CpuScorer() = default;
  virtual u32 groups() const = 0;
  /// The references of a group.
  virtual Range references(u32 group) const = 0;
  /// @param scores  [queries][references] of the whole problem; only the part's entries are written
  virtual void score(u32 group, Range queries, i32* scores) const = 0;
  /// "AVX3", "scalar" ...
  virtual std::string target() const = 0;
  /// What the record says of the scorer: "highway_target", and with lanes of 8 bits "escaped": scores that
  /// they could not hold and that were computed anew, since the scorer was made.
  virtual nlohmann::json facts() const = 0;
  /// Of scoring every pair once, scores computed anew left out; nullopt without vectors.
  virtual std::optional<Instructions> instructions() const = 0;
};

/// Scores all references against some queries on one GPU. Used by one thread at a time.
class CudaScorer {
 public:
  virtual ~CudaScorer() = default;
  /// Enqueues the scoring of `queries` on the device's stream; scores stay in device memory.
  virtual void enqueue(Range queries) = 0;
  /// Copies the scores of `queries` to [queries][references] of the whole problem, once they are there
  /// (blocks).
  virtual void download(Range queries, i32* scores) = 0;
  /// Pairs that are in work at a time when there are enough: fewer leave the device partly idle.
  virtual u64 resident_pairs() const = 0;
};

/// What makes the scorer of a device.
using MakeCudaScorer = std::unique_ptr<CudaScorer> (*)(const PaparaProblem&, Device&);

/// With everything in registers, in the default arithmetic or, where that is not exact, in 32 bits.
/// @param device  a CUDA device; it must outlive the scorer
/// @throws DoesNotFit, ResourceError (arithmetic not exact)
std::unique_ptr<CudaScorer> make_cuda_scorer(const PaparaProblem& problem, Device& device);

}  // namespace gpuseq::papara
