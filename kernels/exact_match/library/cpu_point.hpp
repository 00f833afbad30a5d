#pragma once

#include "runtime/cuda/device/host_device.cuh"

// How an exported library for CPUs searches. `export` writes this file anew.

namespace gpuseq::exact_match {

inline constexpr u32 kExportedInFlight = 16;

}  // namespace gpuseq::exact_match
