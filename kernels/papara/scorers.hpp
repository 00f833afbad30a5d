#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/papara/outline.hpp"
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
  /// Without the scores.
  virtual HeldMemory held() const = 0;
  /// Of scoring every pair once, scores computed anew left out; nullopt without vectors.
  virtual std::optional<Instructions> instructions() const = 0;
};

/// Scores references against queries on one GPU. Used by one thread at a time.
class CudaScorer {
 public:
  virtual ~CudaScorer() = default;
  /// Enqueues the scoring of `part` on the device's stream; scores stay in device memory.
  /// @param part  its references begin at a multiple of reference_unit()
  virtual void enqueue(const Rectangle& part) = 0;
  /// Until all that was enqueued is computed. @throws what the device failed with
  virtual void wait() = 0;
  /// Copies the scores of `part` to [queries][references] of the whole problem, once they are there
  /// (blocks).
  virtual void download(const Rectangle& part, i32* scores) = 0;
  /// Pairs that are in work at a time when there are enough: fewer leave the device partly idle.
  virtual u64 resident_pairs() const = 0;
  /// References of a warp.
  virtual u32 reference_unit() const = 0;
  /// The name of what is compiled.
  virtual std::string kernel() const = 0;
  /// On the device, its scores as well.
  virtual HeldMemory held() const = 0;
  /// Of scoring every pair once.
  virtual Instructions instructions() const = 0;
};

/// The GPUs of `hybrid`: axes of their points, and what makes the scorer of one.
struct CudaPart {
  std::vector<Axis> axes = {};
  std::vector<Constraint> constraints = {};
  /// @param point  complete, with `axes` and perhaps others
  /// @param device  a CUDA device; it must outlive the scorer
  /// @throws DoesNotFit, ResourceError (arithmetic not exact)
  std::unique_ptr<CudaScorer> (*make_scorer)(const PaparaProblem&, const Point& point, Device&) = nullptr;
  /// The estimate of what a scorer counts: of all kernels that make_scorer may choose, the most.
  /// @param point  as of make_scorer
  Cost (*cost)(const Point& point, const OutlinedSizes& sizes) = nullptr;
};

/// Axes with "gpu_" before the names that they have in the CUDA variants; the default of each is "auto": what
/// the variant taken has, which is the faster one for the longest query, in an arithmetic that is exact.
CudaPart cuda_part();

}  // namespace gpuseq::papara
