#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "probes/cuda/memory.hpp"
#include "probes/sm_groups.hpp"
#include "runtime/cuda/sm_windows.hpp"

namespace gpuseq::probes {

/// The SM groups of a device, with the details of the measurement.
struct DeviceSmGroups {
  std::vector<std::uint32_t> multiprocessors;  // their numbers, ascending; SmGroups has
                                               // indices into this list
  SmGroups found;
  std::size_t launches = 0;
  double seconds = 0;

  nlohmann::json to_json() const;
};

/// Measures the multiprocessors while they read the two halves of a footprint, by designs of window_design()
/// until every pair is clear, at most four. The memory must contain granules.
DeviceSmGroups find_sm_groups(CudaMemory& memory, std::size_t footprint_bytes, std::uint64_t seed);

KernelSource watch_windows_source();

/// Assigns the same window to all multiprocessors of a group. @pre there are groups
cuda::SmWindows windows_by_group(const DeviceSmGroups& groups, std::size_t windows);

/// For cuda::find_sm_windows_by(): groups are measured once per device, over all free memory.
Maybe<cuda::SmWindows> find_sm_windows(cuda::CudaDevice& device, std::size_t windows,
                                       const std::filesystem::path& cache_dir,
                                       const std::function<void()>& make_room);

}  // namespace gpuseq::probes
