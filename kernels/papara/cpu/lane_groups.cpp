#include "kernels/papara/cpu/lane_groups.hpp"

#include <algorithm>

namespace gpuseq::papara {

LaneGroups::LaneGroups(const References& references, u32 lanes)
    : references_(references.count),
      sites_(references.sites),
      planes_(planes_of(references.alphabet)),
      lanes_(lanes),
      codes_(count() * group_bytes()) {
  constexpr u32 kSitesAtATime = 64;  // a cache line of each reference; the lines of a group stay in the cache
  u8* const codes = reinterpret_cast<u8*>(codes_.data());
  for (u32 group = 0; group < count(); ++group) {
    for (u32 from = 0; from < sites_; from += kSitesAtATime) {
      const u32 to = std::min(sites_, from + kSitesAtATime);
      for (u32 lane = 0; lane < lanes; ++lane) {
        const SiteRow row = references.row(std::min(group * lanes + lane, references_ - 1));
        for (u32 plane = 0; plane < planes_; ++plane) {
          const std::span<const u8> bytes = row.plane(plane);
          u8* const at = codes + group * group_bytes() + std::size_t{plane} * lanes + lane;
          for (u32 site = from; site < to; ++site) at[std::size_t{site} * planes_ * lanes] = bytes[site];
        }
      }
    }
  }
}

Range LaneGroups::references(u32 group) const {
  return {.begin = group * lanes_, .end = std::min(references_, (group + 1) * lanes_)};
}

}  // namespace gpuseq::papara
