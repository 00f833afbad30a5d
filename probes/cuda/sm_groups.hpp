#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "probes/cuda/memory.hpp"
#include "probes/sm_groups.hpp"
#include "runtime/cuda/sm_windows.hpp"

namespace gpuseq::probes {

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

/// The same window for those of a group. There must be groups.
cuda::SmWindows windows_by_group(const DeviceSmGroups& groups, std::size_t windows);

/// For cuda::find_sm_windows_by(): groups are found once for each device, over all memory that is free.
Maybe<cuda::SmWindows> find_sm_windows(cuda::CudaDevice& device, std::size_t windows,
                                       const std::filesystem::path& cache_dir,
                                       const std::function<void()>& make_room);

}  // namespace gpuseq::probes
