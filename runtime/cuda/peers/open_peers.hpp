#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/cuda/cuda.hpp"

// GPUs of a host that work on one problem with a GPU.

namespace gpuseq::cuda {

using Peers = std::vector<std::shared_ptr<CudaDevice>>;

/// Whether peers only take their part of a problem, or also access each other's memory.
enum class PeerAccess { none, all };

/// The numbers of the first `count` devices, other than `device`, of which each reaches `device` and all
/// those before it, and is reached by them.
/// @param devices  on the host
/// @returns fewer if there are not so many
std::vector<int> choose_peers(int device, int devices, std::size_t count,
                              const std::function<bool(int from, int to)>& reaches);

/// Opens `count` peers of a device.
/// @throws ResourceError with the reason if there are fewer, so that a state that needs them is skipped
Peers open_peers(const CudaDevice& device, std::size_t count, PeerAccess access);

/// Allows kernels of a device to access memory of another, until the process ends.
/// @throws ResourceError if there is no suitable link between the two
void allow_access(const CudaDevice& device, const CudaDevice& peer);

}  // namespace gpuseq::cuda
