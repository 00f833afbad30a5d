#pragma once

#include <string_view>

#include "runtime/contract/device.hpp"

namespace gpuseq {

/// Seconds that the host's processors have spent since it started, and those of this process and of its
/// children that have ended.
struct HostLoad {
  double all_s = 0;    // of all processors, idle or not
  double busy_s = 0;   // for any process here
  double steal_s = 0;  // ready to run while the machine below ran something else
  double own_s = 0;
};

/// The host's load until now. @returns the reason where the kernel does not tell
Maybe<HostLoad> host_load();

/// Of the first line of /proc/stat.
/// @param ticks_per_s  of its numbers
Maybe<HostLoad> parse_host_load(std::string_view stat, double ticks_per_s, double own_s);

/// What of the processors' time between two moments went elsewhere.
struct LoadShares {
  double steal = 0;   // to other guests of the machine below
  double others = 0;  // to other processes here
};

/// @returns zeros where no time has passed
LoadShares shares_between(const HostLoad& from, const HostLoad& to);

}  // namespace gpuseq
