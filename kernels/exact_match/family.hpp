#pragma once

#include <memory>

#include "runtime/contract/family.hpp"

namespace gpuseq::exact_match {

/// Maximal exact matches of reads in a reference by a suffix tree, as in MUMmer and MUMmerGPU.
std::unique_ptr<Family> make_family();

}  // namespace gpuseq::exact_match
