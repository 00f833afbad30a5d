#pragma once

#include "kernels/profile_hmm/cpu/kernel.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::profile_hmm {

Stripes stripes_of(u32 positions, u32 lanes);

/// A profile's bytes in stripes.
class ByteStripes {
 public:
  ByteStripes(const Profile& profile, u32 lanes);
  StripedCosts costs() const { return {stripes_, reinterpret_cast<const std::int8_t*>(costs_.data())}; }
  u64 bytes() const { return bytes_of(stripes_); }
  static u64 bytes_of(const Stripes& stripes) { return 2 * u64{kProfileRows} * stripes.row(); }
  const u8* all_costs() const { return reinterpret_cast<const u8*>(all_costs_.data()); }
  /// Whether costs() cuts off costs of an occurring code, which affects cells of 0 and more.
  bool cut_off(u32 used) const { return (used & cut_off_) != 0; }

 private:
  Stripes stripes_;
  HugeBuffer costs_, all_costs_;
  u32 cut_off_ = 0;  // bit c: costs of code c are cut off
};

/// A profile's words in stripes. Transitions are at most 0, as HMMER makes them.
///
/// Sums with transitions need not saturate if no state falls below -32768 minus the least transition. Then
/// states may begin at that number instead of -32768, because B -> M beats both. The lowest value of a state
/// follows from B -> M: a match state has at least B -> M and its residue's score, an insert or delete state
/// one transition more.
class WordStripes {
 public:
  WordStripes(const Profile& profile, u32 lanes);
  StripedWords words() const;
  u64 bytes() const { return bytes_of(stripes_); }
  /// Scores, steps, B -> M and gains.
  static u64 bytes_of(const Stripes& stripes) {
    return (u64{kProfileRows} + kStripedSteps + 2) * stripes.row() * sizeof(i16);
  }

  /// Whether non-saturating sums are exact. @param begin  the least value of B  @param used
  /// bit c: code c occurs
  bool plain(i32 begin, u32 used) const { return (used & ~usual_codes_) == 0 && begin >= least_begin_; }
  i16 plain_floor() const { return plain_floor_; }

 private:
  void set_scores(const Profile& profile);
  void set_steps(const Profile& profile);
  void set_gains(const Profile& profile);
  void set_range(const Profile& profile);

  Stripes stripes_;
  HugeBuffer scores_, steps_, begin_, gain_;
  u32 usual_codes_ = 0;  // codes whose scores are at least the lowest of the amino acids
  i32 least_begin_ = 0;
  i16 plain_floor_ = 0;
};

}  // namespace gpuseq::profile_hmm
