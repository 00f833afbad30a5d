#pragma once

#include <memory>

#include "runtime/contract/family.hpp"

namespace gpuseq::fm_index {

/// Exact search of DNA queries in a sampled FM-index.
std::unique_ptr<Family> make_family();

}  // namespace gpuseq::fm_index
