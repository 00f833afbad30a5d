#pragma once

#include <memory>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"

// Search by two devices at a time, of which each reaches the other's memory.

namespace gpuseq::fm_index {

/// The queries that a device searches. @param part  0: the device that a state is of, 1: its peer
QueryRange queries_of_device(std::size_t queries, std::size_t part);

/// Of the steps of all queries, the share of which the block lies on the other device than the one that
/// searches. Of evenly spread queries, as many as traffic is counted of.
/// @param entries_on_first  bytes of the index, from its beginning, on the device that a state is of
double remote_share(const Queries& queries, const Index& index, u64 entries_on_first);

/// Why no random access of one device tells what the two can do at most.
std::string no_bound_on_two(IndexOn on);

/// @param at  whose index is on two devices
/// @param peer  a peer of the device; or the same GPU, opened once more
/// @throws as prepare_search()
std::unique_ptr<SearchSession> prepare_on_two(FmProblem& problem, const SearchPoint& at,
                                              cuda::CudaDevice& device,
                                              const std::shared_ptr<cuda::CudaDevice>& peer);

}  // namespace gpuseq::fm_index
