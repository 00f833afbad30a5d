#include "kernels/profile_hmm/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/profile_hmm/oracle.hpp"
#include "kernels/profile_hmm/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::profile_hmm {
namespace {

void check_sequences(const Sequences& sequences) {
  for (u64 i = 0; i < sequences.count(); ++i)
    if (sequences.begin[i + 1] - sequences.begin[i] > kMostResidues)
      throw UsageError(fmt::format("sequence {} ({}): found {} residues, allowed: up to {}", i + 1,
                                   sequences.names[i], sequences.begin[i + 1] - sequences.begin[i],
                                   kMostResidues));
  u8 highest = 0;  // over all sequences; compilers vectorise this maximum
  for (const u8 code : sequences.codes) highest = std::max(highest, code);
  if (highest >= kResidueCodes)
    throw UsageError(
        fmt::format("sequences: found the code {}, allowed: 0 to {}", highest, kResidueCodes - 1));
}

void hash_model(Hash& content, const Model& model) {
  content.update(std::span<const u32>(&model.length, 1));
  for (const auto& node : model.match) content.update(std::span<const float>(node));
  for (const auto& node : model.transitions) content.update(std::span<const float>(node));
  content.update(std::span<const float>(model.composition));
  const std::array<float, 4> tails{model.msv.mu, model.msv.lambda, model.viterbi.mu, model.viterbi.lambda};
  content.update(std::span<const float>(tails));
}

std::string hash_of(const FilterProblem::State& state) {
  Hash content;
  content.update(kFilterNames[state.filter]);
  hash_model(content, state.model);
  content.update(std::span<const u64>(state.sequences->begin));
  content.update(std::span<const u8>(state.sequences->codes));
  return content.hex16();
}

/// File, line and name of a model.
std::string place_of(const Model& model) {
  return model.file.empty() ? fmt::format("model {}", model.name)
                            : fmt::format("{}:{}: model {}", model.file, model.line, model.name);
}

struct Lengths {
  u32 shortest = 0, longest = 0;
};

Lengths lengths_of(const Sequences& sequences) {
  Lengths lengths;
  for (u64 i = 0; i < sequences.count(); ++i) {
    const u32 length = sequences.length(i);
    lengths.shortest = i == 0 ? length : std::min(lengths.shortest, length);
    lengths.longest = std::max(lengths.longest, length);
  }
  return lengths;
}

}  // namespace

void FilterProblem::State::finish() {
  check_sequences(*sequences);
  profile = make_profile(model);
  if (filter == Filter::viterbi && delete_bound_is_low(profile))
    throw UsageError(
        fmt::format("{}: HMMER's Viterbi filter leaves out deletions of it that count (its bound of them "
                    "wraps round), allowed for viterbi: models of hmmbuild, or any without such transitions",
                    place_of(model)));
  if (std::string warning = warning_of_empty(*sequences); !warning.empty())
    notes.push_back(std::move(warning));
}

FilterProblem::FilterProblem(std::unique_ptr<State> state) : state_(std::move(state)) {}
FilterProblem::~FilterProblem() = default;

std::string FilterProblem::hash() const {
  std::call_once(state_->hash_once, [this] { state_->hash = hash_of(*state_); });
  return state_->hash;
}
const Model& FilterProblem::model() const {
  return state_->model;
}
const Profile& FilterProblem::profile() const {
  return state_->profile;
}
const Sequences& FilterProblem::sequences() const {
  return *state_->sequences;
}
Filter FilterProblem::filter() const {
  return state_->filter;
}
const std::filesystem::path& FilterProblem::cache_dir() const {
  return state_->cache_dir;
}
std::vector<std::string> FilterProblem::notes() const {
  return state_->notes;
}

double FilterProblem::cells() const {
  return static_cast<double>(state_->model.length) * static_cast<double>(state_->sequences->residues());
}

std::string FilterProblem::label(const Point& problem) const {
  const std::string sequences = data_name(problem, "sequences");
  return fmt::format("{}, {} model of {} states x {} {}", kFilterNames[state_->filter],
                     data_name(problem, "models"), state_->model.length, state_->sequences->count(),
                     sequences == "random" ? "random sequences" : "sequences of " + sequences);
}

nlohmann::json FilterProblem::describe() const {
  const State& state = *state_;
  const Sequences& sequences = *state.sequences;
  const Lengths lengths = lengths_of(sequences);
  nlohmann::json result = state.origin;
  result.update({{"filter", kFilterNames[state.filter]},
                 {"model_name", state.model.name},
                 {"model_length", state.model.length},
                 {"sequence_count", sequences.count()},
                 {"sequences_without_residues", state.sequences->count_empty()},
                 {"residues", sequences.residues()},
                 {"mean_residues", sequences.count() == 0 ? 0.0
                                                          : static_cast<double>(sequences.residues()) /
                                                                static_cast<double>(sequences.count())},
                 {"shortest_residues", lengths.shortest},
                 {"longest_residues", lengths.longest},
                 {"cells", cells()},
                 {"notes", state.notes}});
  return result;
}

std::span<const u64> FilterProblem::checked() const {
  State& state = *state_;
  std::call_once(state.checked_once, [&] {
    ThreadPool pool(state.threads);
    state.checked.sequences =
        choose_sequences(*state.sequences, state.model.length, checked_cells(state.filter));
    state.checked.scores =
        oracle_scores(state.profile, state.filter, *state.sequences, state.checked.sequences, pool);
  });
  return state.checked.sequences;
}

std::span<const RawScore> FilterProblem::expected() const {
  checked();
  return state_->checked.scores;
}

std::unique_ptr<FilterProblem> make_problem(Model model, std::shared_ptr<const Sequences> sequences,
                                            Filter filter, std::filesystem::path cache_dir) {
  auto state = std::make_unique<FilterProblem::State>();
  state->model = std::move(model);
  state->sequences = std::move(sequences);
  state->filter = filter;
  state->cache_dir = std::move(cache_dir);
  state->finish();
  return std::make_unique<FilterProblem>(std::move(state));
}

}  // namespace gpuseq::profile_hmm
