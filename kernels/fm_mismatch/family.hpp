#pragma once

#include <memory>

#include "runtime/contract/family.hpp"

namespace gpuseq::fm_mismatch {

/// Occurrences of DNA queries with up to two mismatches, with an FM-index searched in both directions.
std::unique_ptr<Family> make_family();

}  // namespace gpuseq::fm_mismatch
