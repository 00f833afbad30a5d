#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::results {

/// A share of the time that warps are resident, from 0 to 1.
struct WarpTime {
  std::string_view words;  // of kWarpStates
  double share = 0;
};

/// What the warps of a kernel did, by the counters of its record: shares in the order of kWarpStates, those
/// with the same words together; their sum is 1. Empty where the warps' states were not counted.
std::vector<WarpTime> warp_times(const std::map<std::string, double>& counters);

/// What keeps a kernel from its bound, by its counters: how often it issues, what its warps wait for most,
/// what the caches serve, sectors of a load, conflicts of shared memory's banks. Empty where none of them was
/// counted.
std::string obstacles(const std::map<std::string, double>& counters);

}  // namespace gpuseq::results
