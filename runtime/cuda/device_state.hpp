#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/cupti/cupti.hpp"
#include "runtime/cuda/nvml.hpp"

namespace gpuseq::cuda {

/// State of a device besides its context and stream.
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
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();  // memory limit of the device,
                                                                     // see limit_memory()
  std::shared_ptr<Kernel> wait;                                      // loaded on first use
};

/// "0000:3B:00.0" for a device of the driver. @throws CudaError
std::string pci_bus_id(CUdevice device);

}  // namespace gpuseq::cuda
