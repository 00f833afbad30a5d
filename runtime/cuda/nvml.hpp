#pragma once

#include <string>

#include "runtime/contract/device.hpp"

namespace gpuseq::cuda {

/// NVML queries of one GPU. Read-only: no setting of the device is ever changed. Without NVML or a value, a
/// query returns the reason.
class NvmlDevice {
 public:
  enum class Clock { sm, memory };

  /// @param pci_bus_id from cuDeviceGetPCIBusId; NVML's own numbering ignores CUDA_VISIBLE_DEVICES
  explicit NvmlDevice(const std::string& pci_bus_id);

  Maybe<double> clock_mhz(Clock which) const;
  Maybe<double> max_clock_mhz(Clock which) const;
  /// Since the driver was loaded; updated about every 100 ms. A MIG slice has none: it is that of all slices.
  Maybe<double> energy_j() const;
  /// The same.
  Maybe<double> power_w() const;
  Maybe<double> power_limit_w() const;
  Maybe<bool> ecc() const;
  Maybe<bool> mig() const;
  Maybe<bool> persistence() const;
  /// "580.95.05"
  Maybe<std::string> driver_version() const;

 private:
  /// Why there is no value that is of the device alone; empty: there may be one.
  std::string of_slice() const;

  void* handle_ = nullptr;
  std::string reason_;  // why there is no handle
};

}  // namespace gpuseq::cuda
