#pragma once

#include "kernels/papara/data/alignment_data.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::papara {

/// References interleaved by vector lanes: [groups][sites][planes][lanes] codes, a plane being one byte of
/// each site. Lanes without a reference repeat the last reference. Source: Alachiotis, Berger and Stamatakis
/// 2012, figure 1 ("inter-reference memory organization").
class LaneGroups {
 public:
  LaneGroups(const References& references, u32 lanes);

  u32 count() const { return (references_ + lanes_ - 1) / lanes_; }
  u32 lanes() const { return lanes_; }
  u32 sites() const { return sites_; }
  u32 planes() const { return planes_; }
  u64 bytes() const { return codes_.size(); }
  Range references(u32 group) const;
  const u8* codes(u32 group) const {
    return reinterpret_cast<const u8*>(codes_.data()) + group * group_bytes();
  }

 private:
  std::size_t group_bytes() const { return std::size_t{sites_} * planes_ * lanes_; }
  u32 references_, sites_, planes_, lanes_;
  HugeBuffer codes_;
};

}  // namespace gpuseq::papara
