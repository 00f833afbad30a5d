#include "kernels/profile_hmm/outline.hpp"

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/scores.hpp"

namespace gpuseq::profile_hmm {

u32 outlined_length(const Point& problem) {
  return problem.word("models") == "random" ? static_cast<u32>(problem.integer("model_length")) : 0;
}

Work cells_work(u32 model_length, double residues) {
  return {.amount = static_cast<double>(model_length) * residues, .unit = "cells"};
}

Maybe<Expectation> expectation_of(
    const StateOutline& state,
    const std::function<std::optional<Instructions>(const Outline& outline)>& count) {
  const Point& problem = state.problem;
  const u32 length = outlined_length(problem);
  if (length == 0) return {std::nullopt, "how long the model is stands in a file"};
  if (problem.word("sequences") != "random")
    return {std::nullopt, "how long the sequences are stands in a file"};
  const auto asked = static_cast<u64>(problem.integer("sequence_count"));
  const double homologs = static_cast<double>(problem.integer("homologs")) / 1000;
  const Outline outline{.filter = kFilterNames.value(problem.word("filter")),
                        .model_length = length,
                        .residues = static_cast<double>(asked == 0 ? kRandomSequences : asked) *
                                    mean_random_length(homologs, length)};
  std::optional<Instructions> instructions = count(outline);
  if (!instructions) return {std::nullopt, "what it executes has no probe"};
  return {Expectation{.work = cells_work(length, outline.residues), .instructions = std::move(instructions)},
          {}};
}

}  // namespace gpuseq::profile_hmm
