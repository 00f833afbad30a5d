#pragma once

#include <iosfwd>
#include <span>

#include "kernels/fm_locate/problem.hpp"

namespace gpuseq::fm_locate {

/// A line for each occurrence of each query in the order of their file, and of a query by ascending place,
/// the forward strand first: query, record, position from 1, strand. Those that span a join are left out.
/// @param positions  in the order of LocateProblem::occurrences()
void write_hits(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions);

/// A line for each query: how often it occurs in the text, on the strands that it was looked for, how many of
/// these were located, and how many of those span a join and are not among the hits.
void write_counts(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions);

}  // namespace gpuseq::fm_locate
