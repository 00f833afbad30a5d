#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq::probes {

/// The probes, in the shape of families: random_access, latency, loaded_latency, sequential,
/// instruction_throughput. Points of those of memory have `footprint_bytes`; random_access also
/// `block_bytes`, `access` and `in_flight` (see each space's axes). The problem space is empty: the states of
/// a probe share one problem, which owns the memory that they touch.
std::vector<std::unique_ptr<Family>> make_probes();

/// The largest footprint that a state on this device can have now.
std::size_t largest_footprint(const Device& device);

}  // namespace gpuseq::probes
