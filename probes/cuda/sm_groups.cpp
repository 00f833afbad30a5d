#include "probes/cuda/sm_groups.hpp"

#include <array>
#include <chrono>
#include <map>
#include <mutex>

#include "probes/cuda/access.cuh"
#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

/// Two warps per multiprocessor follow enough chains for a steady rate, but load memory only half, so that
/// waits for the TLB are visible in the rate.
constexpr unsigned kLanes = 64;
/// Within a millisecond a group's lanes access each page of a window a dozen times.
constexpr std::uint64_t kWarmNs = 1'000'000, kNs = 3'000'000;
constexpr std::uint64_t kBlockBytes = 32;
constexpr int kMostDesigns = 4;

/// Launches the measuring kernel, one thread block on each multiprocessor.
class Watch {
 public:
  Watch(CudaMemory& memory, std::size_t footprint_bytes)
      : memory_(memory),
        kernel_(memory.kernel(watch_windows_source())),
        begin_(memory.device(), cuda::kMostMultiprocessors * sizeof(u64)),
        rates_(memory.device(), cuda::kMostMultiprocessors * sizeof(u64)),
        window_bytes_(footprint_bytes / 2 / kTaggedBytes * kTaggedBytes),
        // More than half of a multiprocessor's shared memory, so that a second block does not fit.
        shared_bytes_(static_cast<unsigned>(
            memory.device().attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))) {
    kernel_->allow_shared_bytes(shared_bytes_);
  }

  /// @param windows  by multiprocessor number
  /// @returns accesses per lane and millisecond, by multiprocessor number; 0 if no block ran there
  std::vector<u64> rates(const std::vector<std::uint8_t>& windows, u64 seed) {
    std::vector<u64> begin(cuda::kMostMultiprocessors, 0), found(cuda::kMostMultiprocessors);
    for (std::size_t number = 0; number < windows.size(); ++number)
      begin[number] = windows[number] * (window_bytes_ / kGranuleBytes);
    begin_.upload(begin);
    rates_.fill(0);
    CUdeviceptr memory = memory_.address(), places = begin_.address(), rates = rates_.address(),
                sink = memory_.scratch().address();
    u64 blocks = window_bytes_ / kBlockBytes, warm_ns = kWarmNs, ns = kNs;
    const std::array<void*, 8> arguments{&memory, &places, &blocks, &warm_ns, &ns, &seed, &rates, &sink};
    kernel_->launch(static_cast<unsigned>(memory_.device().multiprocessors()), kLanes, shared_bytes_,
                    arguments);
    memory_.device().synchronize();
    rates_.download(std::as_writable_bytes(std::span(found)));
    return found;
  }

 private:
  CudaMemory& memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  cuda::DeviceBuffer begin_, rates_;
  std::uint64_t window_bytes_;
  unsigned shared_bytes_;
};

std::vector<std::uint32_t> numbers_of(const std::vector<u64>& rates) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t number = 0; number < rates.size(); ++number)
    if (rates[number] > 0) numbers.push_back(static_cast<std::uint32_t>(number));
  return numbers;
}

}  // namespace

KernelSource watch_windows_source() {
  return cuda_source("watch", "windows",
                     "watch(const uint4* memory, const u64* begin, u64 blocks, u64 warm_ns, u64 ns, "
                     "u64 seed, u64* rates, u32* sink)",
                     "watch_windows(memory, begin, blocks, warm_ns, ns, seed, rates, sink);");
}

nlohmann::json DeviceSmGroups::to_json() const {
  nlohmann::json groups = nlohmann::json::array();
  for (const auto& group : found.groups) {
    nlohmann::json numbers = nlohmann::json::array();
    for (const std::size_t place : group) numbers.push_back(multiprocessors[place]);
    groups.push_back(std::move(numbers));
  }
  nlohmann::json all{{"groups", std::move(groups)},
                     {"noise", found.noise},
                     {"launches", launches},
                     {"seconds", seconds},
                     {"reason", found.reason}};
  if (found.groups.empty()) return all;
  all["within"] = found.within;
  all["least_within"] = found.least_within;
  all["most_between"] = found.most_between;
  all["clear"] = found.clear;
  return all;
}

DeviceSmGroups find_sm_groups(CudaMemory& memory, std::size_t footprint_bytes, std::uint64_t seed) {
  const auto start = std::chrono::steady_clock::now();
  Watch watch(memory, footprint_bytes);
  DeviceSmGroups groups;
  groups.multiprocessors = numbers_of(watch.rates({}, launch_seed(seed, 0)));
  const std::size_t count = groups.multiprocessors.size();
  std::vector<WindowedLaunch> launches;
  for (int design = 0; design < kMostDesigns && !groups.found.clear; ++design) {
    for (std::vector<std::uint8_t>& windows :
         window_design(count, seed + static_cast<std::uint64_t>(design))) {
      std::vector<std::uint8_t> by_number(cuda::kMostMultiprocessors, 0);
      for (std::size_t i = 0; i < count; ++i) by_number[groups.multiprocessors[i]] = windows[i];
      const std::vector<u64> rates = watch.rates(by_number, launch_seed(seed, launches.size() + 1));
      WindowedLaunch launch{std::move(windows), {}};
      for (const std::uint32_t number : groups.multiprocessors)
        launch.rates.push_back(static_cast<double>(rates[number]));
      // A launch may leave out a multiprocessor that another process occupies.
      if (numbers_of(rates) == groups.multiprocessors) launches.push_back(std::move(launch));
    }
    if (launches.empty()) throw ResourceError("no launch reached the same multiprocessors as the first");
    groups.found = find_sm_groups(launches);
  }
  groups.launches = launches.size();
  groups.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return groups;
}

cuda::SmWindows windows_by_group(const DeviceSmGroups& groups, std::size_t windows) {
  const std::vector<std::size_t> window_of_place = windows_by_group(groups.found, windows);
  cuda::SmWindows window_of(cuda::kMostMultiprocessors);
  for (std::size_t i = 0; i < window_of_place.size(); ++i)
    window_of[groups.multiprocessors[i]] = static_cast<std::uint8_t>(window_of_place[i]);
  return window_of;
}

Maybe<cuda::SmWindows> find_sm_windows(cuda::CudaDevice& device, std::size_t windows,
                                       const std::filesystem::path& cache_dir,
                                       const std::function<void()>& make_room) {
  static std::mutex guard;
  static std::map<std::string, DeviceSmGroups> known;
  const std::lock_guard lock(guard);
  const auto [groups, is_new] = known.try_emplace(device.id());
  if (is_new) {
    constexpr std::uint64_t kSeed = 1;
    make_room();
    ProbeProblem problem("windows", kSeed, cache_dir);
    const std::size_t bytes = largest_footprint(device);
    const std::shared_ptr<CudaMemory> memory =
        CudaMemory::of(problem, {{"footprint_bytes", static_cast<std::int64_t>(bytes)}}, device);
    memory->hold_granules(bytes);
    groups->second = find_sm_groups(*memory, bytes, kSeed);
  }
  const SmGroups& found = groups->second.found;
  if (found.groups.empty()) return {std::nullopt, found.reason};
  return {windows_by_group(groups->second, windows), {}};
}

}  // namespace gpuseq::probes
