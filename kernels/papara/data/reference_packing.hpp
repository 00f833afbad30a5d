#pragma once

#include <vector>

#include "kernels/papara/cuda/score_policy.cuh"
#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara {

/// References in the layout of the CUDA kernels, interleaved so that adjacent threads read adjacent words:
/// [packs][policy.pack_words()][threads]. A pack is pack_sites() sites. A thread has one reference (s32)
/// or two: those at its lane and at lane + 32 of the warp's 64. A word has the sites of the low lane from
/// bit 0, of the high lane from bit 16, 5 bits each. For amino acids, a pack has words for each letter and
/// then for CGAP, with one bit per column and lane (score_letters.cuh). Sites and references past the end
/// are 0. The sites of square ends (Alachiotis et al. 2012, figure 5) have a word each, before and after
/// the packs of the others.
/// @param longest  bases of the longest query, which sets the size of square ends
std::vector<u32> pack_references(const Policy& policy, const References& references, Range range,
                                 u32 longest);

/// Queries in the layout of the CUDA kernels: ScoreArguments::bases, and the offset of each query.
std::vector<u32> pack_queries(Alphabet alphabet, const Queries& queries);
QueryEntry query_entry(const Queries& queries, u32 query);

/// Threads (a multiple of a warp's) for `references` references.
u32 threads_for(const Policy& policy, u32 references);
/// Words of pack_references().
u64 packed_words(const Policy& policy, u32 sites, u32 references, u32 longest);

}  // namespace gpuseq::papara
