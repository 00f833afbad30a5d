#include "kernels/profile_hmm/problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::int64_t kMostModels = 10'000'000;
constexpr std::int64_t kMostStates = 100'000;  // of a random model
constexpr std::int64_t kMostSequences = std::int64_t{1} << 31;
constexpr std::int64_t kThousand = 1000;

Axis filter_axis() {
  Axis axis{.name = "filter",
            .values = {},
            .default_value = std::string(kFilterNames.words.front()),
            .meaning = "ssv: the best ungapped diagonal; msv: several of them; viterbi: with gaps"};
  for (const std::string_view name : kFilterNames.words) axis.values.emplace_back(std::string(name));
  return axis;
}

Axis model_length_axis() {
  Axis axis = open_integer_axis("model_length", 1, kMostStates, 400, "match states of a random model");
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
                     "profile HMMs: a data name of the configuration (HMMER3 ASCII); random: a seeded model",
                     allowed),
      open_integer_axis("model", 1, kMostModels, 1, "which model of a file, the first is 1"),
      model_length_axis(),
      open_word_axis("sequences", {"random"s},
                     "proteins: a data name (FASTA, or a .psq volume of a BLAST database of version 4); "
                     "random: seeded, of the composition and the lengths of real ones",
                     allowed),
      about("sequences",
            open_integer_axis(
                "sequence_count", 0, kMostSequences, 0,
                "sequences; of a file, only so many from its start. 0: all of a file, 20 000 random")),
      about("sequences",
            open_integer_axis("homologs", 0, kThousand, 10,
                              "of a thousand random sequences, how many hold a domain emitted by the model")),
  });
}

}  // namespace

const SearchSpace& problem_space() {
  static const SearchSpace space = make_problem_space();
  return space;
}

}  // namespace gpuseq::profile_hmm
