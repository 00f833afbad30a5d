#pragma once

#include <vector>

#include "kernels/papara/cuda/score_policy.cuh"
#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara {

/// References as the CUDA kernels read them, interleaved so that neighbouring threads read neighbouring
/// words: [packs][policy.pack_words()][threads], a pack being pack_sites() sites, a thread one reference
/// (s32) or two, those at its lane and 32 further of the warp's 64. In a word, the sites of the low lane from
/// bit 0, of the high lane from bit 16, 5 bits each; of amino acids a pack has words for each letter and then
/// for CGAP, a bit for each column and lane (score_letters.cuh). Sites and references past the end are 0. Of
/// square ends
/// (Alachiotis et al. 2012, figure 5) the sites have a word each, before and behind the packs of the others.
/// @param longest  bases of the longest query, by which square ends go
std::vector<u32> pack_references(const Policy& policy, const References& references, Range range,
                                 u32 longest);

/// Queries as the CUDA kernels read them: ScoreArguments::bases, and where each begins.
std::vector<u32> pack_queries(Alphabet alphabet, const Queries& queries);
QueryEntry query_entry(const Queries& queries, u32 query);

/// Threads (a multiple of a warp's) that take `references` references.
u32 threads_for(const Policy& policy, u32 references);
/// Words of pack_references().
u64 packed_words(const Policy& policy, u32 sites, u32 references, u32 longest);

}  // namespace gpuseq::papara
