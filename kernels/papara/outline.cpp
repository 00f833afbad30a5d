#include "kernels/papara/outline.hpp"

#include "kernels/papara/data/letters.hpp"

namespace gpuseq::papara {
namespace {

/// Of lengths that are uniform between two, the mean of band_cells().
double mean_band_cells(double sites, double shortest, double longest) {
  const double mean = (shortest + longest) / 2, lengths = longest - shortest + 1;
  const double mean_square = mean * mean + (lengths * lengths - 1) / 12;
  return (sites + 1) * mean - mean_square;
}

}  // namespace

Penalties penalties_of(const Point& problem) {
  const auto cost = [&](std::string_view axis) { return static_cast<i32>(problem.integer(axis)); };
  return {.mismatch = cost("mismatch"),
          .cgap = cost("cgap"),
          .gap_open = cost("gap_open"),
          .gap_extend = cost("gap_extend"),
          .insertion = cost("insertion")};
}

Alphabet alphabet_of(const Point& problem) {
  return parse_alphabet(problem.word("alphabet"));
}

Work cells_work(double cells) {
  return {.amount = cells, .unit = "cells"};
}

Maybe<Expectation> expectation_of(const StateOutline& state,
                                  const std::function<Executed(const Outline& outline)>& count) {
  const Point& problem = state.problem;
  for (const char* axis : {"alignment", "queries"})
    if (problem.word(axis) != "evolved")
      return {std::nullopt, "how many sites and bases there are stands in a file"};
  const std::int64_t references = problem.integer("references"), queries = problem.integer("query_count");
  const auto sites = static_cast<double>(problem.integer("sites"));
  const Outline outline{
      .alphabet = alphabet_of(problem),
      .references = references == 0 ? kEvolvedReferences : static_cast<u32>(references),
      .cells_of_reference = static_cast<double>(queries == 0 ? kEvolvedQueries : static_cast<u64>(queries)) *
                            mean_band_cells(sites, static_cast<double>(problem.integer("shortest_query")),
                                            static_cast<double>(problem.integer("longest_query")))};
  return expectation_from(cells_work(outline.cells()), count(outline));
}

}  // namespace gpuseq::papara
