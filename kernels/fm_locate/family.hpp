#pragma once

#include <memory>

#include "runtime/contract/family.hpp"

namespace gpuseq::fm_locate {

/// Positions of DNA queries in a text, from the rows of an FM-index, with a sampled suffix array.
std::unique_ptr<Family> make_family();

}  // namespace gpuseq::fm_locate
