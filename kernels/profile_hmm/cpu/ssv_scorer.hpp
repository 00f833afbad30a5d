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
  /// Of SSV.
  std::optional<Instructions> instructions(double residues) const;
  /// Of so many vectors of cells; nullopt where they have no probe.
  static std::optional<Instructions> instructions(const Dispatched<StripedKernels>& dispatched,
                                                  double vectors);
  /// Of a vector of cells.
  static std::map<std::string, double> operations();

 private:
  Dispatched<StripedKernels> dispatched_;
  ByteStripes stripes_;
  u32 sweeps_ = 1, interleave_ = 1;
};

/// What MSV executes by what SSV does.
std::optional<Instructions> msv_instructions(std::optional<Instructions> of_ssv, bool always_follow_j);

}  // namespace gpuseq::profile_hmm
