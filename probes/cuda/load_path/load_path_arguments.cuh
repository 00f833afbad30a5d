#pragma once

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::probes {

/// The chains of a launch, and the number of loads.
struct LoadPathArguments {
  u64 first, other_first;  // first nodes of both chains
  u64 texture;             // over both chains, for the paths that use one
  u64 nodes;               // device address of the chain's image, which is copied to shared memory
  u64 node_count, stride_bytes;
  u64 warming, between, loads;
};

}  // namespace gpuseq::probes
