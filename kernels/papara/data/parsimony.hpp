#pragma once

#include "kernels/papara/data/alignment_data.hpp"
#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/data/tree.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {

/// The ancestral state vector of every edge: Fitch's sets at a virtual root in the edge, computed from both
/// sides, with the CGAP flag of each site. A node with more than three neighbours is resolved in the order of
/// its children, as ((first, second), third) ...
/// @param most  only the edges 0 ... most - 1; 0: all
/// @throws UsageError naming a tip that the alignment lacks, or a row that the tree lacks Source: Fitch 1971;
/// Sankoff 1975; CGAP: Berger and Stamatakis 2011.
References ancestral_states(const Tree& tree, const ReferenceAlignment& alignment, u32 most,
                            ThreadPool& pool);

}  // namespace gpuseq::papara
