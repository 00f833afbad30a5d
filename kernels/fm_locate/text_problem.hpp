#pragma once

#include <memory>
#include <vector>

#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "runtime/io/hash.hpp"

// What problems share that find places in a text: it and its queries are those of fm_index.

namespace gpuseq::fm_locate {

/// Axes of fm_index, whose reference must be a text, and what must hold of them.
std::vector<Axis> text_axes();
std::vector<Constraint> text_constraints();
/// Which strands queries are looked for on.
Axis strands_axis();
Strands strands_of(const Point& problem);

/// The text and the queries of a problem that has further axes.
/// @param complete  the problem's point
/// @throws as fm_index::load_problem(); ResourceError for a text whose positions 32 bits do not hold
std::unique_ptr<fm_index::FmProblem> load_text(const ProblemSpec& spec, const Point& complete);

/// The queries of a problem, an upper estimate before they are loaded. All 0: not known.
struct QueryEstimate {
  u64 searched = 0;     // k-mers, not their reads
  u64 reads = 0;        // of one read each, independent of each other
  u64 least_bases = 0;  // of a query
  u64 total_bases = 0;
  u64 bytes = 0;  // as Queries::bytes()
};
QueryEstimate estimated_queries(const StateOutline& state);
/// Whether text and queries are seeded bases, so that numbers of matches are known before they are made.
bool is_generated(const Point& problem);

/// Why random access does not bound a search of these queries; empty where it does.
std::string why_no_bound(const Point& problem);

/// Where the records of a reference begin and what they are called, which the text does not tell.
void add_records(Hash& content, const fm_index::Reference& reference);

}  // namespace gpuseq::fm_locate
