#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq::probes {

/// The probes, in the form of families: random_access, latency, loaded_latency, sequential,
/// instruction_throughput. Points of the memory probes have `footprint_bytes`; random_access also
/// `block_bytes`, `access` and `in_flight` (see each space's axes). The problem space is empty: the states of
/// a probe share one problem, which owns their memory.
std::vector<std::unique_ptr<Family>> make_probes();

/// The largest footprint currently possible on this device.
std::size_t largest_footprint(const Device& device);

}  // namespace gpuseq::probes
