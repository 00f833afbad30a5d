#pragma once

#include <memory>
#include <vector>

#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "runtime/io/hash.hpp"

// Shared by problems that locate in a text: their text and queries are those of fm_index.

namespace gpuseq::fm_locate {

/// Axes of fm_index, whose reference must be a text, and the constraints of these axes.
std::vector<Axis> text_axes();
std::vector<Constraint> text_constraints();
/// The strands on which queries are searched.
Axis strands_axis();
Strands strands_of(const Point& problem);

/// Loads the text and the queries of a problem that has further axes.
/// @param complete  the problem's point
/// @throws as fm_index::load_problem(); ResourceError for a text whose positions do not fit in 32 bits
std::unique_ptr<fm_index::FmProblem> load_text(const ProblemSpec& spec, const Point& complete);

/// An upper estimate of a problem's queries before they are loaded. All 0: unknown.
struct QueryEstimate {
  u64 searched = 0;     // k-mers, or reads if these are not cut into k-mers
  u64 reads = 0;        // independent of each other
  u64 least_bases = 0;  // bases of the shortest query
  u64 total_bases = 0;
  u64 bytes = 0;  // as Queries::bytes()
};
QueryEstimate estimated_queries(const StateOutline& state);
/// Whether text and queries are seeded bases, so that numbers of matches are known in advance.
bool is_generated(const Point& problem);

/// Why random access does not bound a search of these queries; empty if it does.
std::string why_no_bound(const Point& problem);

/// Adds the begins and names of the records of a reference, which the text does not contain.
void add_records(Hash& content, const fm_index::Reference& reference);

}  // namespace gpuseq::fm_locate
