#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/papara/outline.hpp"
#include "kernels/papara/problem.hpp"

// Scorers of a part of a problem. The sessions of the variants use them, and the workers of `hybrid` score
// with them from one queue.

namespace gpuseq::papara {

/// Scores one group of references (as many as a vector has lanes) against some queries. Reentrant: any number
/// of threads may call score() at the same time for different parts.
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
  /// Facts of the scorer for the record: "highway_target", and with 8-bit lanes "escaped": scores since the
  /// scorer was made that did not fit and were computed again.
  virtual nlohmann::json facts() const = 0;
  /// Memory without the scores.
  virtual HeldMemory held() const = 0;
  /// Instructions for scoring every pair once, without repeated scores; nullopt without vectors.
  virtual std::optional<Instructions> instructions() const = 0;
};

/// Scores references against queries on one GPU. Not for use in two threads at the same time.
class CudaScorer {
 public:
  virtual ~CudaScorer() = default;
  /// Enqueues the scoring of `part` on the device's stream; scores stay in device memory.
  /// @param part  its references begin at a multiple of reference_unit()
  virtual void enqueue(const Rectangle& part) = 0;
  /// Waits until all enqueued parts are computed. @throws the device's error
  virtual void wait() = 0;
  /// Copies the scores of `part` to [queries][references] of the whole problem; blocks until they are there.
  virtual void download(const Rectangle& part, i32* scores) = 0;
  /// Pairs computed at the same time if there are enough; fewer pairs leave the device partly idle.
  virtual u64 resident_pairs() const = 0;
  /// References per warp.
  virtual u32 reference_unit() const = 0;
  /// The name of the compiled kernel.
  virtual std::string kernel() const = 0;
  /// Memory on the device, including its scores.
  virtual HeldMemory held() const = 0;
  /// Instructions for scoring every pair once.
  virtual Instructions instructions() const = 0;
};

/// The GPUs of `hybrid`: axes of their points, and functions that make and estimate the scorer of a point.
struct CudaPart {
  std::vector<Axis> axes = {};
  std::vector<Constraint> constraints = {};
  /// @param point  complete, with `axes` and perhaps others
  /// @param device  a CUDA device; it must outlive the scorer
  /// @throws DoesNotFit, ResourceError (arithmetic not exact)
  std::unique_ptr<CudaScorer> (*make_scorer)(const PaparaProblem&, const Point& point, Device&) = nullptr;
  /// The estimated cost of a scorer: the maximum over all kernels that make_scorer may choose.
  /// @param point  as for make_scorer
  Cost (*cost)(const Point& point, const OutlinedSizes& sizes) = nullptr;
};

/// Axes named as in the CUDA variants with the prefix "gpu_". The default of each is "auto": the value of the
/// selected variant, which is the faster variant for the longest query, in an arithmetic that is exact.
CudaPart cuda_part();

}  // namespace gpuseq::papara
