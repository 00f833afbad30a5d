#pragma once

#include <iosfwd>
#include <span>

#include "kernels/fm_mismatch/problem.hpp"

namespace gpuseq::fm_mismatch {

/// Results of a session; see MismatchSession.
struct Found {
  std::span<const Answer> answers;
  std::span<const Hit> hits;
};

/// Writes a line per occurrence: query, record, position from 1, strand, mismatches. Queries are in the order
/// of their file, the occurrences of a query ascending, the forward strand first. Occurrences that span a
/// join are left out.
void write_hits(std::ostream& out, const MismatchProblem& problem, const Found& found);

/// Writes a line per query: the number of occurrences in the text on the searched strands, by mismatches, and
/// the number of these that span a join and are not among the hits.
void write_counts(std::ostream& out, const MismatchProblem& problem, const Found& found);

}  // namespace gpuseq::fm_mismatch
