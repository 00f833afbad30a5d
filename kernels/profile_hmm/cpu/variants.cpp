#include "kernels/profile_hmm/cpu/scorers.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::profile_hmm {
namespace {

using namespace std::string_literals;

std::vector<Axis> stripes() {
  return {
      simd_target_axis(),
      integer_axis("vectors", {0, 2, 4, 6, 8, 10, 12, 16}, 0,
                   "SSV: vectors of diagonals in registers; 0: the fastest number", 0, 64),
      listed_axis("interleave", {0, 1, 2, 4}, 0,
                  "sequences that a thread interleaves; 0: the fastest number"),
      listed_axis(
          "follow_j", {"where_used"s, "always"s}, "where_used"s,
          "MSV rows with the J state; where_used: only where SSV finds that J can be used; always: all rows"),
      threads_axis()};
}

std::unique_ptr<BatchScorer> make_scalar(const FilterProblem& problem, const Point&) {
  return make_scalar_scorer(problem);
}

StripedOptions options_of(const Point& point) {
  return {.target = parse_simd_target(point.word("target")),
          .vectors = static_cast<u32>(point.integer("vectors")),
          .interleave = static_cast<u32>(point.integer("interleave")),
          .always_follow_j = point.word("follow_j") == "always"};
}

Cost cost_of(const StateOutline& state,
             OutlinedScorer (*outlined)(Filter, u32 model_length, double residues, const Point&)) {
  const OutlinedSizes sizes = outlined_sizes(state);
  const Filter filter = kFilterNames.value(state.problem.word("filter"));
  const u32 length = sizes.model_length == 0 ? kUsualLength : sizes.model_length;
  return estimated_cost(outlined(filter, length, static_cast<double>(sizes.residues), state.point), sizes,
                        static_cast<int>(state.point.integer("threads")));
}

Cost scalar_cost(const StateOutline& state) {
  return cost_of(state, [](Filter filter, u32 model_length, double residues, const Point&) {
    return outlined_scalar(filter, model_length, residues);
  });
}

Cost striped_cost(const StateOutline& state) {
  return cost_of(state, [](Filter filter, u32 model_length, double residues, const Point& point) {
    return outlined_striped(filter, model_length, residues, options_of(point));
  });
}

std::unique_ptr<BatchScorer> make_striped(const FilterProblem& problem, const Point& point) {
  const StripedOptions options = options_of(point);
  switch (problem.filter()) {
    case Filter::ssv:
      return make_striped_ssv(problem, options);
    case Filter::msv:
      return make_striped_msv(problem, options);
    case Filter::viterbi:
      break;
  }
  return make_striped_viterbi(problem, options);
}

Prepare by(std::unique_ptr<BatchScorer> (*make_scorer)(const FilterProblem&, const Point&)) {
  return prepare_by<FilterProblem>([make_scorer](FilterProblem& problem, const Point& point, Device&) {
    return make_cpu_session(problem, make_scorer(problem, point), static_cast<int>(point.integer("threads")));
  });
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {{.name = "scalar",
           .summary = "one sequence at a time per thread, plain C++",
           .space = SearchSpace({threads_axis()}),
           .prepare = by(make_scalar),
           .cost = scalar_cost},
          {.name = "striped",
           .summary = "positions of the model striped over vector lanes (Farrar), SSE4 to AVX-512",
           .space = SearchSpace(stripes()),
           .prepare = by(make_striped),
           .cost = striped_cost}};
}

}  // namespace gpuseq::profile_hmm
