#include "runtime/cuda/sm_windows.hpp"

#include <algorithm>
#include <atomic>

namespace gpuseq::cuda {
namespace {

std::atomic<FindSmWindows> finder = nullptr;

}  // namespace

SmWindows windows_by_number(std::size_t windows, std::size_t count) {
  SmWindows window_of(kMostMultiprocessors);
  for (std::size_t number = 0; number < window_of.size(); ++number)
    window_of[number] = static_cast<std::uint8_t>(std::min(number * windows / count, windows - 1));
  return window_of;
}

void find_sm_windows_by(FindSmWindows find) {
  finder = find;
}

Maybe<SmWindows> windows_by_sm_group(CudaDevice& device, std::size_t windows,
                                     const std::filesystem::path& cache_dir,
                                     const std::function<void()>& make_room) {
  const FindSmWindows find = finder;
  if (find == nullptr) return {std::nullopt, "this program does not look for groups of multiprocessors"};
  return find(device, windows, cache_dir, make_room);
}

}  // namespace gpuseq::cuda
