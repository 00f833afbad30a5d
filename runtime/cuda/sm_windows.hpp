#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Upper bound of multiprocessor numbers.
inline constexpr std::size_t kMostMultiprocessors = 1024;

/// A window of memory for each multiprocessor, indexed by all possible numbers.
using SmWindows = std::vector<std::uint8_t>;

/// Assigns the same window to multiprocessors with adjacent numbers. @param count  of multiprocessors
SmWindows windows_by_number(std::size_t windows, std::size_t count);

/// A function that finds the multiprocessors that share a TLB, and assigns the same window to those of a
/// group. A higher-level library sets it.
using FindSmWindows = Maybe<SmWindows> (*)(CudaDevice& device, std::size_t windows,
                                           const std::filesystem::path& cache_dir,
                                           const std::function<void()>& make_room);
void find_sm_windows_by(FindSmWindows find);

/// Windows by groups of multiprocessors. The first call uses nearly all free memory, for seconds.
/// @param cache_dir  directory of compiled kernels, kept between runs; may be empty
/// @param make_room  called before memory is allocated
/// @returns the reason if there are no groups, or no function is set that finds them
Maybe<SmWindows> windows_by_sm_group(CudaDevice& device, std::size_t windows,
                                     const std::filesystem::path& cache_dir,
                                     const std::function<void()>& make_room);

}  // namespace gpuseq::cuda
