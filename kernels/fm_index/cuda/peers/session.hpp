#pragma once

#include <memory>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

// Search by several devices at a time.

namespace gpuseq::fm_index {

/// The queries that a device searches, about as many on each. @param part  0: the device of the state; from 1
/// on: its peers
QueryRange queries_of_device(std::size_t queries, std::size_t part, std::size_t devices);

/// @param at  whose index is on several devices
/// @param peers  of the device; or the same GPU, opened again
/// @throws as prepare_search()
std::unique_ptr<SearchSession> prepare_on_peers(FmProblem& problem, const SearchPoint& at,
                                                cuda::CudaDevice& device, const cuda::Peers& peers);

}  // namespace gpuseq::fm_index
