#include "kernels/papara/outline.hpp"

#include <algorithm>

#include "kernels/papara/data/letters.hpp"

namespace gpuseq::papara {

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

/// Cells are those of the query length with the most cells: an alignment of b bases to s sites has b (s - b +
/// 1). For files they follow from the number of letters: a tree has less than twice as many edges as tips.
OutlinedSizes outlined_sizes(const StateOutline& state) {
  const Point& problem = state.problem;
  const auto size = [&](std::string_view axis) { return static_cast<u32>(problem.integer(axis)); };
  const auto or_usual = [](u32 asked, u64 usual) { return asked == 0 ? static_cast<u32>(usual) : asked; };
  OutlinedSizes sizes{.alphabet = alphabet_of(problem),
                      .references = or_usual(size("references"), kEvolvedReferences),
                      .sites = size("sites"),
                      .queries = or_usual(size("query_count"), kEvolvedQueries),
                      .shortest = size("shortest_query"),
                      .longest = size("longest_query")};
  if (problem.word("alignment") == "evolved" && problem.word("queries") == "evolved") {
    const u64 bases = std::clamp(sizes.sites / 2 + 1, sizes.shortest, sizes.longest);
    sizes.cells = static_cast<double>(band_cells(sizes.sites, bases)) * sizes.queries * sizes.references;
    return sizes;
  }
  const auto letters = [&](std::string_view axis, u64 evolved) {
    return static_cast<double>(state.letters(axis, evolved, {"evolved"}));
  };
  return {.alphabet = sizes.alphabet,
          .cells = 2 * letters("alignment", u64{sizes.references} * sizes.sites) *
                   letters("queries", sizes.bases())};
}

}  // namespace gpuseq::papara
