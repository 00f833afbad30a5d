#pragma once

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::probes {

/// Where the chains of a launch are, and how far it follows them.
struct LoadPathArguments {
  u64 first, other_first;  // nodes to begin with
  u64 texture;             // over both chains, for the paths that take one
  u64 nodes;               // device address of the chain's image, which shared memory is filled from
  u64 node_count, stride_bytes;
  u64 warming, between, loads;
};

}  // namespace gpuseq::probes
