#include <fmt/core.h>

#include <array>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/device_state.hpp"
#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {
namespace {

/// json[key] = value, or null with "<key>_reason".
template <typename T>
void put(nlohmann::json& json, const std::string& key, const Maybe<T>& maybe) {
  if (maybe.value) {
    json[key] = *maybe.value;
  } else {
    json[key] = nullptr;
    json[key + "_reason"] = maybe.reason;
  }
}

/// "GPU-8f3a..." or "MIG-8f3a...", the format of nvidia-smi. A GPU whose MIG mode is on runs nothing but in
/// its slices, and the driver has their UUIDs.
std::string uuid_text(const CUuuid& uuid, bool is_slice) {
  std::string text = is_slice ? "MIG" : "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

/// "13.0" for 13000
Maybe<std::string> driver_api_version() {
  int version = 0;
  check(driver().driver_get_version(&version), "cuDriverGetVersion");
  return {fmt::format("{}.{}", version / 1000, version % 1000 / 10), {}};
}

void put_shape(nlohmann::json& json, const CudaDevice& device) {
  const auto attribute = [&](CUdevice_attribute which) { return device.attribute(which); };
  json["compute_capability"] = fmt::format("{}.{}", attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                           attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  json["architecture"] = device.architecture();
  json["multiprocessors"] = device.multiprocessors();
  json["threads_per_multiprocessor"] = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  json["registers_per_multiprocessor"] = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  json["shared_bytes_per_multiprocessor"] =
      attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  json["shared_bytes_per_block"] = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  json["l2_bytes"] = device.l2_bytes();
  json["memory_bytes"] = device.total_bytes();
  json["memory_bus_bits"] = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
}

void put_nvml(nlohmann::json& json, const NvmlDevice& nvml) {
  put(json, "sm_clock_mhz", nvml.clock_mhz(NvmlDevice::Clock::sm));
  put(json, "max_sm_clock_mhz", nvml.max_clock_mhz(NvmlDevice::Clock::sm));
  put(json, "memory_clock_mhz", nvml.clock_mhz(NvmlDevice::Clock::memory));
  put(json, "max_memory_clock_mhz", nvml.max_clock_mhz(NvmlDevice::Clock::memory));
  put(json, "driver_version", nvml.driver_version());
  put(json, "ecc", nvml.ecc());
  put(json, "mig", nvml.mig());
  put(json, "persistence", nvml.persistence());
  put(json, "power_limit_w", nvml.power_limit_w());
}

}  // namespace

nlohmann::json CudaDevice::describe() const {
  make_current();
  std::array<char, 256> name{};
  check(driver().device_get_name(name.data(), static_cast<int>(name.size()), device_), "cuDeviceGetName");
  CUuuid uuid{};
  check(driver().device_get_uuid(&uuid, device_), "cuDeviceGetUuid");

  nlohmann::json json{{"id", id()},
                      {"kind", "cuda"},
                      {"name", name.data()},
                      {"uuid", uuid_text(uuid, state_->nvml.mig().value.value_or(false))}};
  json["pci_bus_id"] = state_->pci_bus_id;
  put_shape(json, *this);
  put_nvml(json, state_->nvml);
  put(json, "cuda_driver_api_version", driver_api_version());
  put(json, "nvrtc_version", nvrtc_version());
  json["toolkit_version"] = GPUSEQ_CUDA_VERSION;  // of the build
  return json;
}

}  // namespace gpuseq::cuda
