#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Numbers that a multiprocessor may have.
inline constexpr std::size_t kMostMultiprocessors = 1024;

/// A window of memory for each multiprocessor, by its number; as many numbers as there may be.
using SmWindows = std::vector<std::uint8_t>;

/// Neighbours in number have the same window. @param count  of multiprocessors
SmWindows windows_by_number(std::size_t windows, std::size_t count);

/// Who knows how to find which multiprocessors share a cache of address translations, and gives those of a
/// group the same window. A library that stands above this one sets it.
using FindSmWindows = Maybe<SmWindows> (*)(CudaDevice& device, std::size_t windows,
                                           const std::filesystem::path& cache_dir,
                                           const std::function<void()>& make_room);
void find_sm_windows_by(FindSmWindows find);

/// Windows by groups of multiprocessors. The first time it takes nearly all memory that is free, for seconds.
/// @param cache_dir  where compiled kernels are kept between runs; may be empty
/// @param make_room  called before memory is taken
/// @returns the reason where no groups show, or nobody knows how to find them
Maybe<SmWindows> windows_by_sm_group(CudaDevice& device, std::size_t windows,
                                     const std::filesystem::path& cache_dir,
                                     const std::function<void()>& make_room);

}  // namespace gpuseq::cuda
