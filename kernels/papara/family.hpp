#pragma once

#include <memory>

#include "runtime/contract/family.hpp"

namespace gpuseq::papara {

/// Phylogeny-aware alignment of reads to the ancestral states of a tree's edges.
std::unique_ptr<Family> make_family();

}  // namespace gpuseq::papara
