#include <fmt/format.h>

#include <chrono>

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr u64 kMeanSequenceBytes = 600;            // with name and offset
constexpr u64 kSequenceStream = 0x50726f7465696e;  // differs from the seed of the model

/// The file of an axis; nullptr: random. @throws UsageError if a name is not a data entry
const std::filesystem::path* file_of(const ProblemSpec& spec, const std::string& axis) {
  return spec.point.word(axis) == "random" ? nullptr : &data_file(spec, axis, "random");
}

/// Whether hmmsearch can read the file as it is: not gzip, a database or a pipe, which is already consumed.
bool is_plain(const std::filesystem::path& path, char first) {
  if (!is_file_to_open_again(path)) return false;
  ByteSource source(path);
  return source.next().starts_with(first) && !source.is_gzip();
}

void load_model(const ProblemSpec& spec, FilterProblem::State& state) {
  const auto* file = file_of(spec, "models");
  if (file == nullptr) {
    state.model = random_model(static_cast<u32>(spec.point.integer("model_length")), spec.seed);
    return;
  }
  std::vector<Model> models = read_models(*file);
  const auto number = static_cast<u64>(spec.point.integer("model"));
  if (number > models.size())
    throw UsageError(
        fmt::format("model: found {}, allowed: 1 to the {} of {}", number, models.size(), file->string()));
  if (models.size() == 1 && is_plain(*file, 'H')) state.models_file = *file;
  state.model = std::move(models[number - 1]);
}

void load_sequences(const ProblemSpec& spec, FilterProblem::State& state) {
  if (const auto* file = file_of(spec, "sequences")) {
    const auto count = static_cast<u64>(spec.point.integer("sequence_count"));
    state.sequences = std::make_shared<Sequences>(read_sequences(*file, count));
    if (count == 0 && is_plain(*file, '>')) state.sequences_file = *file;
    return;
  }
  const SequenceGeneration generation = generation_of(spec.point);
  require_host_memory(generation.count * kMeanSequenceBytes, "random sequences");
  state.sequences =
      std::make_shared<Sequences>(random_sequences(state.model, generation, spec.seed ^ kSequenceStream));
}

}  // namespace

std::unique_ptr<FilterProblem> load_problem(const ProblemSpec& given) {
  ProblemSpec spec = given;
  spec.point = problem_space().complete(spec.point);
  auto state = std::make_unique<FilterProblem::State>();
  state->filter = kFilterNames.value(spec.point.word("filter"));
  state->cache_dir = spec.cache_dir;
  state->threads = spec.threads;
  const auto start = std::chrono::steady_clock::now();
  load_model(spec, *state);
  load_sequences(spec, *state);
  state->origin = {{"models", spec.point.word("models")},
                   {"sequences", spec.point.word("sequences")},
                   {"seed", spec.seed},
                   {"load_s", seconds_since(start)}};
  if (spec.point.word("models") != "random") state->origin["model"] = spec.point.integer("model");
  if (spec.point.word("sequences") == "random")
    state->origin["homologs_per_mille"] = spec.point.integer("homologs");
  state->finish();
  return std::make_unique<FilterProblem>(std::move(state));
}

}  // namespace gpuseq::profile_hmm
