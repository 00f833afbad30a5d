#pragma once

#include <iosfwd>
#include <span>

#include "kernels/fm_mismatch/problem.hpp"

namespace gpuseq::fm_mismatch {

/// What a session found; see MismatchSession.
struct Found {
  std::span<const Answer> answers;
  std::span<const Hit> hits;
};

/// A line for each occurrence of each query in the order of their file, and of a query by ascending place,
/// the forward strand first: query, record, position from 1, strand, mismatches. Those that span a join are
/// left out.
void write_hits(std::ostream& out, const MismatchProblem& problem, const Found& found);

/// A line for each query: how often it occurs in the text, on the strands that it was looked for, by
/// mismatches, and how many of these span a join and are not among the hits.
void write_counts(std::ostream& out, const MismatchProblem& problem, const Found& found);

}  // namespace gpuseq::fm_mismatch
