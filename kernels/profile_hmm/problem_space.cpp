#include "kernels/profile_hmm/problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::int64_t kMostModels = 10'000'000;
constexpr std::int64_t kMostRandomStates = 100'000;  // of a random model
constexpr std::int64_t kMostSequences = std::int64_t{1} << 31;
constexpr std::int64_t kThousand = 1000;

Axis filter_axis() {
  Axis axis{
      .name = "filter",
      .values = {},
      .default_value = std::string(kFilterNames.words.front()),
      .meaning =
          "ssv: the best ungapped diagonal; msv: several ungapped diagonals; viterbi: alignments with gaps"};
  for (const std::string_view name : kFilterNames.words) axis.values.emplace_back(std::string(name));
  return axis;
}

Axis model_length_axis() {
  Axis axis = open_integer_axis("model_length", 1, kMostRandomStates, 400, "match states of a random model");
  axis.about = "models";
  axis.values.clear();
  for (const std::int64_t length : {100, 200, 300, 400, 600, 800, 1000, 1200, 1500, 1800, 2100, 2405})
    axis.values.emplace_back(length);
  return axis;
}

SearchSpace make_problem_space() {
  using namespace std::string_literals;
  const std::string allowed = "random, or the name of a data entry";
  return SearchSpace({
      filter_axis(),
      open_word_axis("models", {"random"s},
                     "profile HMMs: a data entry of the config (HMMER3 ASCII); random: a seeded model",
                     allowed),
      open_integer_axis("model", 1, kMostModels, 1, "number of the model in its file; the first is 1"),
      model_length_axis(),
      open_word_axis("sequences", {"random"s},
                     "proteins: a data entry (FASTA, or a .psq volume of a BLAST database of version 4); "
                     "random: seeded, with the composition and the lengths of real proteins",
                     allowed),
      about(
          "sequences",
          open_integer_axis(
              "sequence_count", 0, kMostSequences, 0,
              "number of sequences; of a file, the first ones; 0: a whole file, or 20 000 random sequences")),
      about("sequences",
            open_integer_axis("homologs", 0, kThousand, 10,
                              "random sequences per 1000 that have a domain emitted by the model")),
  });
}

}  // namespace

const SearchSpace& problem_space() {
  static const SearchSpace space = make_problem_space();
  return space;
}

}  // namespace gpuseq::profile_hmm
