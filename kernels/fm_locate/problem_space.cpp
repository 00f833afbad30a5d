#include <algorithm>

#include "kernels/fm_locate/problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_locate {
namespace {

using namespace std::string_literals;

constexpr i64 kMostMaxHits = i64{1} << 32;

std::vector<Axis> axes() {
  std::vector<Axis> axes = fm_index::problem_space().axes();
  *std::ranges::find(axes, "reference", &Axis::name) = open_word_axis(
      "reference", {"random"s},
      "where positions are found: a data name of the configuration; random: seeded bases, really sorted",
      "random, or the name of a data entry");
  axes.push_back(open_integer_axis("max_hits", 0, kMostMaxHits, kUsualMaxHits,
                                   "positions of a strand of a query that are located at most, those of the "
                                   "first rows of its interval; 0: all"));
  axes.push_back(listed_axis("strands", {"forward"s, "both"s}, "forward"s,
                             "forward: queries as they are; both: their reverse complements as well"));
  return axes;
}

/// fm_index's own constraints are on its axes, and it has the words for them.
Constraint as_fm_index() {
  return {.name = "as_fm_index",
          .reason = "kmer_bases must be at most query_bases where queries are sampled",
          .holds = [](const Point& problem) {
            Point searched;
            for (const auto& [axis, value] : problem.values())
              if (fm_index::problem_space().find(axis) != nullptr) searched.set(axis, value);
            return !fm_index::problem_space().why_invalid(searched);
          }};
}

Constraint of_a_text() {
  return {.name = "of_a_text",
          .reason = "reference = synthetic is a transform of no text and has no positions",
          .holds = [](const Point& problem) { return problem.word("reference") != "synthetic"; }};
}

}  // namespace

const SearchSpace& problem_space() {
  static const SearchSpace space(axes(), {of_a_text(), as_fm_index()});
  return space;
}

std::vector<Axis> layout_axes() {
  return {
      listed_axis("sa_rate", {1, 2, 4, 8, 16, 32, 64, 128}, 32,
                  "suffixes, or rows, for each one whose position is stored"),
      listed_axis("sa_sampling", {"text"s, "rows"s}, "text"s,
                  "text: the suffixes from each so-manieth place of the text, rows marked by a bit; rows: "
                  "each so-manieth row, so that a walk may be of any length")};
}

Layout layout_of(const Point& point) {
  return {.rate = static_cast<u32>(point.integer("sa_rate")),
          .in_text_order = point.word("sa_sampling") == "text"};
}

}  // namespace gpuseq::fm_locate
