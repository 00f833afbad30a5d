#include "runtime/cuda/nvml.hpp"

#include <array>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/shared_library.hpp"

namespace gpuseq::cuda {
namespace {

// Own prototypes, from NVML's reference manual: toolkits lack nvml.h. nvmlReturn_t and the enums are ints,
// nvmlDevice_t is a pointer.
struct NvmlApi {
  int (*init)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*handle_by_pci_bus_id)(const char*, void**) = nullptr;
  int (*clock)(void*, int, unsigned*) = nullptr;
  int (*max_clock)(void*, int, unsigned*) = nullptr;
  int (*energy_mj)(void*, unsigned long long*) = nullptr;
  int (*power_mw)(void*, unsigned*) = nullptr;
  int (*power_limit_mw)(void*, unsigned*) = nullptr;
  int (*ecc)(void*, int*, int*) = nullptr;
  int (*mig)(void*, unsigned*, unsigned*) = nullptr;
  int (*persistence)(void*, int*) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
};

constexpr int kSuccess = 0;

NvmlApi open_nvml() {
  const SharedLibrary library(Origin::driver, {"libnvidia-ml.so.1"});
  NvmlApi api;
  library.bind(api.init, "nvmlInit_v2");
  library.bind(api.error_string, "nvmlErrorString");
  library.bind(api.handle_by_pci_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  library.bind_if_present(api.clock, "nvmlDeviceGetClockInfo");
  library.bind_if_present(api.max_clock, "nvmlDeviceGetMaxClockInfo");
  library.bind_if_present(api.energy_mj, "nvmlDeviceGetTotalEnergyConsumption");
  library.bind_if_present(api.power_mw, "nvmlDeviceGetPowerUsage");
  library.bind_if_present(api.power_limit_mw, "nvmlDeviceGetEnforcedPowerLimit");
  library.bind_if_present(api.ecc, "nvmlDeviceGetEccMode");
  library.bind_if_present(api.mig, "nvmlDeviceGetMigMode");
  library.bind_if_present(api.persistence, "nvmlDeviceGetPersistenceMode");
  library.bind_if_present(api.driver_version, "nvmlSystemGetDriverVersion");
  if (const int status = api.init(); status != kSuccess)
    throw CudaError(std::string("nvmlInit: ") + api.error_string(status));
  return api;
}

const NvmlApi& nvml() {
  static const NvmlApi api = open_nvml();
  return api;
}

/// nvmlClockType_t
int clock_type(NvmlDevice::Clock which) {
  return which == NvmlDevice::Clock::sm ? 1 : 2;
}

/// Calls `function` unless it is null or `no_handle` has a reason why there is no handle; `scale` is the unit
/// of `raw` in the unit of the result.
template <typename Value, typename Function, typename Raw, typename... Arguments>
Maybe<Value> query(const std::string& no_handle, const char* name, Function* function, const Raw& raw,
                   Value scale, Arguments... arguments) {
  if (!no_handle.empty()) return {std::nullopt, no_handle};
  if (function == nullptr) return {std::nullopt, std::string(name) + " is missing in this driver's NVML"};
  if (const int status = function(arguments...); status != kSuccess)
    return {std::nullopt, std::string(name) + ": " + nvml().error_string(status)};
  return {static_cast<Value>(static_cast<Value>(raw) * scale), {}};
}

/// The functions of NVML; without NVML none is called, as there is no handle.
const NvmlApi& api_or_none(const std::string& no_handle) {
  static const NvmlApi none;
  return no_handle.empty() ? nvml() : none;
}

}  // namespace

std::string NvmlDevice::of_slice() const {
  return mig().value.value_or(false) ? "NVML measures the whole GPU, of which this is a MIG slice" : reason_;
}

NvmlDevice::NvmlDevice(const std::string& pci_bus_id) {
  try {
    if (const int status = nvml().handle_by_pci_bus_id(pci_bus_id.c_str(), &handle_); status != kSuccess)
      reason_ = "nvmlDeviceGetHandleByPciBusId of " + pci_bus_id + ": " + nvml().error_string(status);
  } catch (const CudaError& error) {
    reason_ = error.what();
  }
}

Maybe<double> NvmlDevice::clock_mhz(Clock which) const {
  unsigned mhz = 0;
  return query(reason_, "nvmlDeviceGetClockInfo", api_or_none(reason_).clock, mhz, 1.0, handle_,
               clock_type(which), &mhz);
}

Maybe<double> NvmlDevice::max_clock_mhz(Clock which) const {
  unsigned mhz = 0;
  return query(reason_, "nvmlDeviceGetMaxClockInfo", api_or_none(reason_).max_clock, mhz, 1.0, handle_,
               clock_type(which), &mhz);
}

Maybe<double> NvmlDevice::energy_j() const {
  unsigned long long mj = 0;
  return query(of_slice(), "nvmlDeviceGetTotalEnergyConsumption", api_or_none(reason_).energy_mj, mj, 1e-3,
               handle_, &mj);
}

Maybe<double> NvmlDevice::power_w() const {
  unsigned mw = 0;
  return query(of_slice(), "nvmlDeviceGetPowerUsage", api_or_none(reason_).power_mw, mw, 1e-3, handle_, &mw);
}

Maybe<double> NvmlDevice::power_limit_w() const {
  unsigned mw = 0;
  return query(reason_, "nvmlDeviceGetEnforcedPowerLimit", api_or_none(reason_).power_limit_mw, mw, 1e-3,
               handle_, &mw);
}

Maybe<bool> NvmlDevice::ecc() const {
  int current = 0, pending = 0;
  return query(reason_, "nvmlDeviceGetEccMode", api_or_none(reason_).ecc, current, true, handle_, &current,
               &pending);
}

Maybe<bool> NvmlDevice::mig() const {
  unsigned current = 0, pending = 0;
  return query(reason_, "nvmlDeviceGetMigMode", api_or_none(reason_).mig, current, true, handle_, &current,
               &pending);
}

Maybe<bool> NvmlDevice::persistence() const {
  int mode = 0;
  return query(reason_, "nvmlDeviceGetPersistenceMode", api_or_none(reason_).persistence, mode, true, handle_,
               &mode);
}

Maybe<std::string> NvmlDevice::driver_version() const {
  std::array<char, 96> version{};
  if (!reason_.empty()) return {std::nullopt, reason_};
  const auto function = nvml().driver_version;
  if (function == nullptr)
    return {std::nullopt, "nvmlSystemGetDriverVersion is missing in this driver's NVML"};
  if (const int status = function(version.data(), version.size()); status != kSuccess)
    return {std::nullopt, std::string("nvmlSystemGetDriverVersion: ") + nvml().error_string(status)};
  return {version.data(), {}};
}

}  // namespace gpuseq::cuda
