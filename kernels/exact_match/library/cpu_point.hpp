#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Search parameters of an exported library for CPUs. `export` replaces this file.

namespace gpuseq::exact_match {

inline constexpr u32 kExportedInFlight = 16;

}  // namespace gpuseq::exact_match
