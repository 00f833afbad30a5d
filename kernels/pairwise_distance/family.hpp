#pragma once

#include <memory>

#include "runtime/contract/family.hpp"

namespace gpuseq::pairwise_distance {

std::unique_ptr<Family> make_family();

}  // namespace gpuseq::pairwise_distance
