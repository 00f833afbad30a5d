#pragma once

#include "runtime/contract/family.hpp"

namespace gpuseq::base_counts {

/// How many of each base a sequence has.
std::unique_ptr<Family> make_family();

}  // namespace gpuseq::base_counts
