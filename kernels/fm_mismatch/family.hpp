#pragma once

#include <memory>

#include "runtime/contract/family.hpp"

namespace gpuseq::fm_mismatch {

/// Occurrences of DNA queries with up to two mismatches, by an FM-index that is searched in both directions.
std::unique_ptr<Family> make_family();

}  // namespace gpuseq::fm_mismatch
