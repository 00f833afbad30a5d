#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "probes/cuda/memory.hpp"
#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::probes {

/// State of a chase on the device: struct Chase of latency.cuh.
struct ChaseState {
  u64 at = 0, clocks = 0, ns = 0;
};

/// The state left by the last kernel that used the scratch buffer for it; waits for that kernel.
ChaseState read_chase(const CudaMemory& memory);

/// `latency_clocks` and `latency_ns` of `loads` loads.
void add_latency(nlohmann::json& facts, const ChaseState& state, std::uint64_t loads);

/// A walk along the random cycle through every node of a footprint in device memory. Its position is in the
/// scratch buffer, which the kernels read and update.
class DeviceChase {
 public:
  /// Writes the cycle to the first `footprint_bytes`, unless it is there, and starts at its first node.
  DeviceChase(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }
  /// Accesses of a timed launch: enough to hide the 5 microseconds of a launch, and no more.
  std::uint64_t accesses(std::uint64_t most) const;
  /// Accesses before the first launch, which visits only a part of a large footprint: a footprint that fits
  /// the caches must be cached, in this multiprocessor's L2 partition. 0 for larger footprints.
  std::uint64_t warming_accesses() const;

  /// Device address of the state.
  CUdeviceptr state() const { return memory_->scratch().address(); }
  void restart();
  /// Facts of the last kernel, which followed `accesses` nodes.
  nlohmann::json facts(std::uint64_t accesses) const;
  /// Whether the chase from the first node ends where the order of the nodes implies.
  /// @param follow  enqueues a kernel that follows `accesses` nodes
  Verification verify(std::uint64_t steps, const std::function<void(std::uint64_t accesses)>& follow);

 private:
  u64 node(std::uint64_t position) const;

  std::shared_ptr<CudaMemory> memory_;
  std::size_t footprint_bytes_, stride_bytes_;
  std::uint64_t nodes_, seed_;
};

}  // namespace gpuseq::probes
