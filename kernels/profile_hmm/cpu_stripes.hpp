#pragma once

#include "kernels/profile_hmm/cpu_kernel.hpp"
#include "runtime/huge_buffer.hpp"

namespace gpuseq::profile_hmm {

/// A profile's bytes in stripes.
class ByteStripes {
 public:
  ByteStripes(const Profile& profile, u32 lanes);
  StripedCosts costs() const { return {stripes_, reinterpret_cast<const std::int8_t*>(costs_.data())}; }
  const u8* all_costs() const { return reinterpret_cast<const u8*>(all_costs_.data()); }
  /// Whether a residue has a cost that costs() cuts off, which matters to cells of 0 and more.
  bool cut_off(u32 code) const { return cut_off_[code]; }

 private:
  Stripes stripes_;
  HugeBuffer costs_, all_costs_;
  std::array<bool, kProfileRows> cut_off_{};
};

/// A profile's words in stripes. Transitions are at most 0, as HMMER makes them.
class WordStripes {
 public:
  WordStripes(const Profile& profile, u32 lanes);
  StripedWords words() const;

 private:
  void set_scores(const Profile& profile);
  void set_steps(const Profile& profile);
  void set_gains(const Profile& profile);

  Stripes stripes_;
  HugeBuffer scores_, steps_, begin_, gain_;
};

}  // namespace gpuseq::profile_hmm
