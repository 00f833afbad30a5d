#pragma once

#include <string_view>

#include "runtime/contract/device.hpp"

namespace gpuseq {

/// CPU seconds of the host since its start, and those of this process and of its ended children.
struct HostLoad {
  double all_s = 0;    // time of all CPUs, idle or not
  double busy_s = 0;   // for any process of this host
  double steal_s = 0;  // ready to run while the hypervisor ran another guest
  double own_s = 0;
};

/// The host's load until now. @returns the reason if the kernel does not report it
Maybe<HostLoad> host_load();

/// Parses the first line of /proc/stat.
/// @param ticks_per_s  unit of its numbers
Maybe<HostLoad> parse_host_load(std::string_view stat, double ticks_per_s, double own_s);

/// Shares of the CPU time between two moments that this process did not get.
struct LoadShares {
  double steal = 0;   // to other guests of the hypervisor
  double others = 0;  // to other processes of this host
};

/// @returns zeros if no time has passed
LoadShares shares_between(const HostLoad& from, const HostLoad& to);

}  // namespace gpuseq
