#include "kernels/profile_hmm/outline.hpp"

namespace gpuseq::profile_hmm {

SequenceGeneration generation_of(const Point& problem) {
  const auto count = static_cast<u64>(problem.integer("sequence_count"));
  return {.count = count == 0 ? kRandomSequences : count,
          .homologs = static_cast<double>(problem.integer("homologs")) / 1000};
}

OutlinedSizes outlined_sizes(const StateOutline& state) {
  const u32 model_length = outlined_length(state.problem);
  if (model_length == 0) return {};
  if (state.problem.word("sequences") != "random")
    return {.model_length = model_length, .residues = state.letters("sequences", 0, {})};
  const SequenceGeneration generation = generation_of(state.problem);
  return {.model_length = model_length,
          .sequences = generation.count,
          .residues = most_residues(model_length, generation)};
}

}  // namespace gpuseq::profile_hmm
