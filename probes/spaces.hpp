#pragma once

#include "runtime/contract/device.hpp"
#include "runtime/contract/point.hpp"

namespace gpuseq::probes {

SearchSpace random_access_space(DeviceKind kind);
/// For CUDA devices only.
SearchSpace windows_space(DeviceKind kind);
SearchSpace latency_space(DeviceKind kind);
SearchSpace loaded_latency_space(DeviceKind kind);
SearchSpace sequential_space(DeviceKind kind);
SearchSpace instruction_throughput_space(DeviceKind kind);
/// For CPUs only.
SearchSpace numa_latency_space(DeviceKind kind);
SearchSpace associativity_space(DeviceKind kind);
/// For CUDA devices only.
SearchSpace zero_copy_sequential_space(DeviceKind kind);
SearchSpace launch_space(DeviceKind kind);
SearchSpace transfer_space(DeviceKind kind);
SearchSpace peer_access_space(DeviceKind kind);
SearchSpace peer_access_sequential_space(DeviceKind kind);
SearchSpace peer_transfer_space(DeviceKind kind);
SearchSpace atomics_space(DeviceKind kind);
SearchSpace barrier_space(DeviceKind kind);
SearchSpace load_path_space(DeviceKind kind);
SearchSpace cluster_space(DeviceKind kind);
SearchSpace l2_sides_space(DeviceKind kind);

}  // namespace gpuseq::probes
