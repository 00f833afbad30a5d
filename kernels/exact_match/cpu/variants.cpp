#include <fmt/format.h>

#include "kernels/exact_match/cpu/session.hpp"
#include "kernels/exact_match/export.hpp"
#include "kernels/exact_match/traversal_axes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::exact_match {
namespace {

using namespace std::string_literals;

std::vector<Axis> tree_axes(std::int64_t in_flight) {
  return {
      node_order_axis(),
      integer_axis("in_flight", {1, 4, 8, 16, 32}, in_flight,
                   "strands that a thread interleaves, each with a prefetch of its next read", 1, 256),
      listed_axis("result", {"slots"s, "matches"s}, "slots"s,
                  "slots: node and length at every position, as in the paper's kernel, with matches listed "
                  "afterwards and not timed; matches: listed directly"),
      integer_axis("trees", {1, 2, 4, 8}, 1,
                   "overlapping parts of the reference, each with its own tree, searched one after the other",
                   1, 64),
      threads_axis()};
}

/// The library of a point. It always lists matches; its user chooses the number of threads.
ExportedLibrary exported(std::string_view name, const Point& point, const WordLetters& letters) {
  if (point.integer("trees") != 1)
    throw UsageError(fmt::format("trees: found {}, allowed in a library: 1", point.integer("trees")));
  return exported_for_cpu(fmt::format("{} {}", name, point.to_string()), point.word("node_order"), letters,
                          static_cast<u32>(point.integer("in_flight")));
}

/// @param letters  lengths of the k-mer tables of a complete point
MatchVariant variant_of(std::string name, std::string summary, std::vector<Axis> axes,
                        WordLetters (*letters)(const Point& point)) {
  const auto exported_at = [name, letters](const Point& point) {
    return exported(name, point, letters(point));
  };
  return {.variant = {.name = std::move(name),
                      .summary = std::move(summary),
                      .space = SearchSpace(std::move(axes)),
                      .prepare = prepare_by<MatchProblem>(
                          [letters](MatchProblem& problem, const Point& point, Device&) {
                            return make_cpu_session(problem, point, letters(point));
                          }),
                      .cost =
                          [letters](const StateOutline& state) {
                            return estimated_cost(state, letters(state.point));
                          },
                      .exported = exported_at},
          .searcher = [letters](std::vector<TreePart> parts, const Search& search, const Point& point,
                                Device&, const std::filesystem::path&) {
            return make_cpu_searcher(std::move(parts), search, point, letters(point));
          }};
}

}  // namespace

std::vector<MatchVariant> cpu_variants() {
  return {variant_of("tree", "suffix tree with suffix links, searched from every position of a query",
                     tree_axes(1), [](const Point&) { return WordLetters{}; }),
          variant_of("tree_words",
                     "suffix tree with suffix links, without the positions whose k-mer does not occur",
                     concatenated(tree_axes(16), word_axes()), &word_letters)};
}

}  // namespace gpuseq::exact_match
