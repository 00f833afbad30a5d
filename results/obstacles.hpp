#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::results {

/// A share of the time for which warps are resident, from 0 to 1.
struct WarpTime {
  std::string_view words;  // of kWarpStates
  double share = 0;
};

/// The states of a kernel's warps, from the counters of its record: shares in the order of kWarpStates, with
/// equal words added up. Their sum is 1. Empty if the states were not counted.
std::vector<WarpTime> warp_times(const std::map<std::string, double>& counters);

/// Why a kernel does not reach its bound, from its counters: issue rate, most frequent waits, cache hit
/// rates, sectors per load, bank conflicts of shared memory. Empty if none of them was counted.
std::string obstacles(const std::map<std::string, double>& counters);

}  // namespace gpuseq::results
