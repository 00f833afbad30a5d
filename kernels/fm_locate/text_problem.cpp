#include "kernels/fm_locate/text_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/fm_locate/data/index.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::fm_locate {
namespace {

using namespace std::string_literals;

/// The values of fm_index's axes alone.
Point of_fm_index(const Point& problem) {
  Point searched;
  for (const auto& [axis, value] : problem.values())
    if (fm_index::problem_space().find(axis) != nullptr) searched.set(axis, value);
  return searched;
}

Constraint of_a_text() {
  return {.name = "of_a_text",
          .reason = "reference = synthetic is a transform of no text and has no positions",
          .holds = [](const Point& problem) { return problem.word("reference") != "synthetic"; }};
}

}  // namespace

std::vector<Axis> text_axes() {
  std::vector<Axis> axes = fm_index::problem_space().axes();
  *std::ranges::find(axes, "reference", &Axis::name) = open_word_axis(
      "reference", {"random"s},
      "where positions are found: a data name of the configuration; random: seeded bases, really sorted",
      "random, or the name of a data entry");
  return axes;
}

std::vector<Constraint> text_constraints() {
  std::vector<Constraint> constraints = fm_index::problem_constraints();
  constraints.insert(constraints.begin(), of_a_text());
  return constraints;
}

Axis strands_axis() {
  return listed_axis("strands", {"forward"s, "both"s}, "forward"s,
                     "forward: queries as they are; both: their reverse complements as well");
}

Strands strands_of(const Point& problem) {
  return problem.word("strands") == "both" ? Strands::both : Strands::forward;
}

std::unique_ptr<fm_index::FmProblem> load_text(const ProblemSpec& spec, const Point& complete) {
  ProblemSpec searched = spec;
  searched.point = of_fm_index(complete);
  auto problem = fm_index::load_problem(searched);
  if (problem->bases() > kMostBases)
    throw Unsupported(
        fmt::format("positions have 32 bits: allowed are references of up to {} bases, this one has {}",
                    kMostBases, problem->bases()));
  return problem;
}

void add_records(Hash& content, const fm_index::Reference& reference) {
  for (const std::string& name : reference.names) content.update(name).update(std::string_view("\n", 1));
  for (const fm_index::Fragment& fragment : reference.fragments)
    content.update(
        std::span<const u64>(std::array{fragment.text_begin, fragment.record, fragment.record_begin}));
}

}  // namespace gpuseq::fm_locate
