#pragma once

#include <cstdint>
#include <vector>

#include "probes/cuda/memory.hpp"
#include "probes/sm_groups.hpp"

namespace gpuseq::probes {

/// Numbers that a multiprocessor may have.
inline constexpr std::size_t kMostMultiprocessors = 1024;

/// The groups of a device, and how they were found.
struct DeviceSmGroups {
  std::vector<std::uint32_t> multiprocessors;  // their numbers, ascending; SmGroups has places in this list
  SmGroups found;
  std::size_t launches = 0;
  double seconds = 0;

  nlohmann::json to_json() const;
};

/// Watches the multiprocessors read the two halves of a footprint, by designs of window_design() until every
/// pair is clear, at most four. The memory must hold granules.
DeviceSmGroups find_sm_groups(CudaMemory& memory, std::size_t footprint_bytes, std::uint64_t seed);

KernelSource watch_windows_source();

}  // namespace gpuseq::probes
