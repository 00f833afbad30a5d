#include "runtime/contract/device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#ifdef GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#endif

namespace gpuseq {

namespace {

Maybe<int> count_cuda_devices() {
#ifdef GPUSEQ_HAVE_CUDA
  Maybe<int> count = cuda::device_count();
  if (count.value == 0) return {std::nullopt, count.reason.empty() ? "no CUDA device" : count.reason};
  return count;
#else
  return {std::nullopt, "built without CUDA"};
#endif
}

[[noreturn]] void throw_no_device(std::string_view id, const DeviceList& devices) {
  const std::string why =
      devices.reason_no_cuda.empty() ? "" : fmt::format(" (no CUDA: {})", devices.reason_no_cuda);
  throw UsageError(fmt::format("device '{}' is not here; the devices are: {}{}; also allowed: all, auto", id,
                               fmt::join(devices.ids, ", "), why));
}

void require(std::string_view id, const DeviceList& devices) {
  if (std::find(devices.ids.begin(), devices.ids.end(), id) == devices.ids.end())
    throw_no_device(id, devices);
}

}  // namespace

DeviceList list_devices() {
  DeviceList devices{.ids = {"cpu"}, .reason_no_cuda = {}};
  const Maybe<int> cuda = count_cuda_devices();
  for (int i = 0; i < cuda.value.value_or(0); ++i) devices.ids.push_back(fmt::format("cuda:{}", i));
  if (!cuda.value) devices.reason_no_cuda = cuda.reason;
  return devices;
}

std::unique_ptr<Device> open_device(std::string_view id) {
  // Counting GPUs starts their driver, which takes a quarter of a second.
  if (id == "cpu") return std::make_unique<CpuDevice>();
  const DeviceList devices = list_devices();
  require(id, devices);
#ifdef GPUSEQ_HAVE_CUDA
  if (id.starts_with("cuda:")) {
    int ordinal = 0;
    std::from_chars(id.data() + 5, id.data() + id.size(), ordinal);
    return std::make_unique<cuda::CudaDevice>(ordinal);
  }
#endif
  throw_no_device(id, devices);
}

std::vector<std::string> resolve_devices(std::string_view selection) {
  const DeviceList devices = list_devices();
  std::vector<std::string> chosen;
  const auto add = [&](const std::string& id) {
    if (std::find(chosen.begin(), chosen.end(), id) == chosen.end()) chosen.push_back(id);
  };
  while (true) {
    const std::size_t comma = selection.find(',');
    const std::string item(selection.substr(0, comma));
    if (item == "all" || item == "auto") {
      for (const std::string& id : devices.ids) add(id);
    } else {
      require(item, devices);
      add(item);
    }
    if (comma == std::string_view::npos) return chosen;
    selection.remove_prefix(comma + 1);
  }
}

}  // namespace gpuseq
