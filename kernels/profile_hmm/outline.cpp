#include "kernels/profile_hmm/outline.hpp"

#include <algorithm>

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/scores.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Where they are random; of a file at most.
double sequence_count_of(const Point& problem) {
  const auto asked = static_cast<double>(problem.integer("sequence_count"));
  return asked == 0 ? kRandomSequences : asked;
}

/// Of random sequences, or of a file by its bytes; 0: nobody knows.
double outlined_residues(const StateOutline& state, u32 model_length) {
  const Point& problem = state.problem;
  const double homologs = static_cast<double>(problem.integer("homologs")) / 1000;
  const bool random = problem.word("sequences") == "random";
  const double drawn = sequence_count_of(problem) * mean_random_length(random ? homologs : 0, model_length);
  if (random) return drawn;
  const auto of_file = static_cast<double>(state.letters("sequences", 0, {}));
  return problem.integer("sequence_count") == 0 ? of_file : std::min(of_file, drawn);
}

/// Of random sequences; 0: nobody knows.
double outlined_longest(const Point& problem) {
  return problem.word("sequences") == "random" ? longest_random_length(sequence_count_of(problem)) : 0;
}

}  // namespace

u32 outlined_length(const Point& problem) {
  return problem.word("models") == "random" ? static_cast<u32>(problem.integer("model_length")) : 0;
}

Work cells_work(u32 model_length, double residues) {
  return {.amount = static_cast<double>(model_length) * residues, .unit = "cells"};
}

Maybe<Expectation> expectation_of(const StateOutline& state,
                                  const std::function<Executed(const Outline& outline)>& count) {
  const Point& problem = state.problem;
  const u32 length = outlined_length(problem);
  if (length == 0) return {std::nullopt, "how long the model is stands in a file"};
  const double residues = outlined_residues(state, length);
  if (residues == 0) return {std::nullopt, "how long the sequences are stands in a file that is not here"};
  const Outline outline{
      .filter = kFilterNames.value(problem.word("filter")), .model_length = length, .residues = residues};
  return expectation_from(cells_work(length, residues), count(outline), outlined_longest(problem) / residues);
}

}  // namespace gpuseq::profile_hmm
