#pragma once

#include "kernels/profile_hmm/cpu/scorers.hpp"
#include "kernels/profile_hmm/cpu/striped.hpp"
#include "kernels/profile_hmm/cpu/stripes.hpp"

namespace gpuseq::profile_hmm {

/// Instructions of SSV; nullopt if no probe measures the vectors.
std::optional<Instructions> diagonal_instructions(const Dispatched<StripedKernels>& dispatched,
                                                  const Stripes& stripes, double residues);
/// Instructions of MSV.
std::optional<Instructions> msv_instructions(const Dispatched<StripedKernels>& dispatched,
                                             const Stripes& stripes, double residues, bool always_follow_j);
std::size_t msv_scratch_bytes(const Stripes& stripes);

/// All diagonals of a profile, processed in groups that fit the registers.
class DiagonalSweeps {
 public:
  DiagonalSweeps(const Profile& profile, const StripedOptions& options);

  u32 interleave() const { return interleave_; }
  const Dispatched<StripedKernels>& dispatched() const { return dispatched_; }
  const ByteStripes& stripes() const { return stripes_; }
  /// The largest cells; a cell begins at -128.
  Best run(const Batch& batch) const;
  nlohmann::json facts() const;
  std::optional<Instructions> instructions(double residues) const {
    return diagonal_instructions(dispatched_, stripes_.costs().stripes, residues);
  }

 private:
  Dispatched<StripedKernels> dispatched_;
  ByteStripes stripes_;
  u32 sweeps_ = 1, interleave_ = 1;
};

}  // namespace gpuseq::profile_hmm
