#pragma once

#include <memory>
#include <vector>

#include "runtime/family.hpp"

namespace gpuseq::probes {

/// The probes, in the shape of families: random_access, latency, sequential. Every point has
/// `footprint_bytes`; random_access also `block_bytes`, `access` and `in_flight` (see each space's axes).
std::vector<std::unique_ptr<Family>> make_probes();

}  // namespace gpuseq::probes
