#pragma once

#include "kernels/exact_match/data/word_tables.hpp"
#include "kernels/exact_match/problem.hpp"
#include "kernels/exact_match/traffic.hpp"

namespace gpuseq::exact_match {

/// The parameters of a complete point's sessions that determine their access counts.
SearchWay search_way(const Point& point, const WordLetters& letters);

/// The cost of a launch before its problem is loaded.
Cost estimated_cost(const StateOutline& state, const WordLetters& letters);

/// @param letters  lengths of the k-mer tables' words
std::unique_ptr<MatchSession> make_cpu_session(MatchProblem& problem, const Point& point,
                                               const WordLetters& letters);
/// A MakeSearcher.
std::unique_ptr<Searcher> make_cpu_searcher(std::vector<TreePart> parts, const Search& search,
                                            const Point& point, const WordLetters& letters);

}  // namespace gpuseq::exact_match
