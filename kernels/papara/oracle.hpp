#pragma once

#include <span>

#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara {

/// The score of a query against a reference: equation 1 in 32-bit integers over the band of the matrix in
/// which the whole query fits. Shares no code with the variants. Cells (i, j) with j <= i <= j + n - m, j >=
/// -1, are reachable; row -1 is 0; the score is the least value of the last row.
/// @param sites  [n]
/// @param bases  [m] codes of letters, 1 <= m <= n Source: Alachiotis, Berger and Stamatakis 2012, equation
/// 1 and figures 3, 4.
i32 oracle_score(const SiteRow& sites, std::span<const u8> bases, const Penalties& penalties);

}  // namespace gpuseq::papara
