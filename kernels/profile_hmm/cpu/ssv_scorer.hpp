#pragma once

#include "kernels/profile_hmm/cpu/scorers.hpp"
#include "kernels/profile_hmm/cpu/striped.hpp"
#include "kernels/profile_hmm/cpu/stripes.hpp"

namespace gpuseq::profile_hmm {

/// All diagonals of a profile, as many at a time as stay in registers.
class DiagonalSweeps {
 public:
  DiagonalSweeps(const Profile& profile, const StripedOptions& options);

  u32 interleave() const { return interleave_; }
  const Dispatched<StripedKernels>& dispatched() const { return dispatched_; }
  const ByteStripes& stripes() const { return stripes_; }
  /// The largest cells; a cell begins at -128.
  Best run(const Batch& batch) const;
  nlohmann::json facts() const;
  /// Of SSV; nullopt where its vectors have no probe.
  std::optional<Instructions> instructions(double residues) const;
  /// Of a vector of cells.
  static std::map<std::string, double> operations();

 private:
  Dispatched<StripedKernels> dispatched_;
  ByteStripes stripes_;
  u32 sweeps_ = 1, interleave_ = 1;
};

}  // namespace gpuseq::profile_hmm
