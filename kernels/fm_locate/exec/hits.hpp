#pragma once

#include <iosfwd>
#include <span>

#include "kernels/fm_locate/problem.hpp"

namespace gpuseq::fm_locate {

/// Writes a line per occurrence: query, record, position from 1, strand. Queries are in the order of their
/// file, the occurrences of a query ascending, the forward strand first. Occurrences that span a join are
/// left out.
/// @param positions  in the order of LocateProblem::occurrences()
void write_hits(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions);

/// Writes a line per query: the number of occurrences in the text on the searched strands, the number
/// located, and the number of these that span a join and are not among the hits.
void write_counts(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions);

}  // namespace gpuseq::fm_locate
