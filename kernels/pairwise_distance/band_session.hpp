#pragma once

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

/// A session that computes bands of rows; a launch assembles the whole matrix from them.
class BandSession : public DistanceSession {
 public:
  /// @param threads  of pool_; 0: one per logical CPU
  explicit BandSession(DistanceProblem& problem, int threads = 0)
      : DistanceSession(problem), pool_(threads) {}
  void each_band(const TakeBand& take) override = 0;
  /// @throws DoesNotFit if the matrix exceeds the host's memory
  void launch() override;
  const Distances& distances() override;

 protected:
  u64 count() const { return problem_.instances().count; }
  /// Bytes of a pair in a matrix or band.
  u64 pair_bytes() const { return (problem_.instances().has_missing() ? 2 : 1) * sizeof(u32); }
  u64 result_bytes() const { return result_.bytes(); }

  /// Idle while each_band() calls `take`.
  ThreadPool pool_;

 private:
  Distances result_;
};

}  // namespace gpuseq::pairwise_distance
