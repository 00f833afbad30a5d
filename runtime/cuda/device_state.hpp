#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/cupti/cupti.hpp"
#include "runtime/cuda/nvml.hpp"

namespace gpuseq::cuda {

/// What a device keeps beside its context and stream.
struct CudaDevice::State {
  State(const std::string& bus_id, CUcontext context, int ordinal)
      : pci_bus_id(bus_id), nvml(bus_id), counters(context, ordinal) {}
  std::string pci_bus_id;
  NvmlDevice nvml;
  Counters counters;
  CUevent start = nullptr;
  CUevent stop = nullptr;
  CUdeviceptr flush_buffer = 0;  // allocated on first use
  std::size_t flush_bytes = 0;
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();  // of the device that it acts as
  std::shared_ptr<Kernel> wait;                                      // loaded on first use
};

/// "0000:3B:00.0" of a device of the driver's. @throws CudaError
std::string pci_bus_id(CUdevice device);

}  // namespace gpuseq::cuda
