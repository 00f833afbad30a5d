#pragma once

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

/// A session that computes bands, of which a launch puts a whole matrix together.
class BandSession : public DistanceSession {
 public:
  /// @param threads  of pool_; 0: one per logical processor
  explicit BandSession(DistanceProblem& problem, int threads = 0)
      : DistanceSession(problem), pool_(threads) {}
  void each_band(const TakeBand& take) override = 0;
  /// @throws DoesNotFit if the host's memory does not hold the matrix
  void launch() override;
  const Distances& distances() override;

 protected:
  u64 count() const { return problem_.instances().count; }
  /// Of a pair, in whatever holds distances.
  u64 pair_bytes() const { return (problem_.instances().has_missing() ? 2 : 1) * sizeof(u32); }
  u64 result_bytes() const { return result_.bytes(); }

  /// Free while each_band() calls `take`.
  ThreadPool pool_;

 private:
  Distances result_;
};

}  // namespace gpuseq::pairwise_distance
