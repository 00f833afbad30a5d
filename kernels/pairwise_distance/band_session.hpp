#pragma once

#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance {

/// A session that computes bands, of which a launch puts a whole matrix together.
class BandSession : public DistanceSession {
 public:
  using DistanceSession::DistanceSession;
  void each_band(const TakeBand& take) override = 0;
  /// @throws DoesNotFit if the host's memory does not hold the matrix
  void launch() override;
  const Distances& distances() override;

 protected:
  u64 count() const { return problem_.instances().count; }
  /// Of a pair, in whatever holds distances.
  u64 pair_bytes() const { return (problem_.instances().has_missing() ? 2 : 1) * sizeof(u32); }
  u64 matrix_bytes() const { return result_.bytes(); }

 private:
  Distances result_;
};

}  // namespace gpuseq::pairwise_distance
