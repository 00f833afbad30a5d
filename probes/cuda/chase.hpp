#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "probes/cuda/memory.hpp"
#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::probes {

/// What a kernel keeps of a chase on the device: struct Chase of latency.cuh.
struct ChaseState {
  u64 at = 0, clocks = 0, ns = 0;
};

/// What the last kernel that was given the scratch buffer for it left, when it is done.
ChaseState read_chase(const CudaMemory& memory);

/// `latency_clocks` and `latency_ns` of so many loads.
void add_latency(nlohmann::json& facts, const ChaseState& state, std::uint64_t loads);

/// A walk along the random cycle through every node of a footprint in device memory. Where it stands is kept
/// in the scratch buffer, which kernels that follow it take and change.
class DeviceChase {
 public:
  /// Lays the cycle out in the first `footprint_bytes`, unless it is there, and begins at its first node.
  DeviceChase(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }
  /// Accesses of a timed launch: a launch's 5 microseconds do not show in so many, and no more than needed.
  std::uint64_t accesses(std::uint64_t most) const;
  /// Accesses before the first launch, which sees a part of a large footprint: one that the caches can hold
  /// must be there, on this multiprocessor's side. 0 for others.
  std::uint64_t warming_accesses() const;

  /// Device address of the state.
  CUdeviceptr state() const { return memory_->scratch().address(); }
  void restart();
  /// Facts of the last kernel, which followed so many nodes.
  nlohmann::json facts(std::uint64_t accesses) const;
  /// Whether following from the first node leads to where the order of the nodes says.
  /// @param follow  enqueues a kernel that follows so many nodes
  Verification verify(std::uint64_t steps, const std::function<void(std::uint64_t accesses)>& follow);

 private:
  u64 node(std::uint64_t position) const;

  std::shared_ptr<CudaMemory> memory_;
  std::size_t footprint_bytes_, stride_bytes_;
  std::uint64_t nodes_, seed_;
};

}  // namespace gpuseq::probes
