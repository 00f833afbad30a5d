#include <fmt/format.h>

#include <cerrno>
#include <fstream>

#include "kernels/profile_hmm/checked_passes.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "kernels/profile_hmm/other_programs.hpp"
#include "kernels/profile_hmm/problem_state.hpp"
#include "runtime/io/atomic_file.hpp"

// Files and answers for hmmsearch, and for HMMER's filters alone: they search the same sequences with the
// same model, and the same oracle checks them.

namespace gpuseq::profile_hmm {
namespace {

/// The oracle computes this many cells of SSV, and a few of the others, in some seconds.
constexpr double kMostPassCells = 2e10;

/// The score of HMMER's function for the problem's filter; nullopt: it cannot decide.
std::optional<FilterScore> hmmers_score(const FilterProblem::State& state, u64 sequence, RawScore raw) {
  const std::span<const u8> residues = state.sequences->row(sequence);
  const auto length = static_cast<u32>(residues.size());
  if (residues.empty()) return std::nullopt;
  if (state.filter == Filter::ssv) return ssv_score(state.profile, length, raw);
  if (state.filter == Filter::viterbi) return viterbi_score(state.profile, length, raw);
  return oracle_msv_filter(state.profile, residues);  // SSV's score if SSV decides
}

struct Answer {
  std::string key;
  float value = 0;
};

Answer answer_of(u64 sequence, const std::optional<FilterScore>& score) {
  const std::string number = fmt::format("{}", sequence + 1);
  if (!score) return {number + ":undecided", 1};
  return score->overflow ? Answer{number + ":overflow", 1} : Answer{number, score->nats};
}

template <typename Write>
void write_file(const std::filesystem::path& path, Write write) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw_unwritable(path, errno);
  write(file);
  file.close();
  if (!file) throw_unwritable(path, errno);
}

/// Keys are sequence numbers, from 1. The value is the score in nats ("3"), or 1 if HMMER has no score:
/// "3:overflow", "3:undecided".
Verification check_scores(const FilterProblem& problem, const FilterProblem::State& state,
                          const Answers& answers) {
  const std::span<const u64> numbers = problem.checked();
  const std::span<const RawScore> raw = problem.expected();
  std::vector<std::optional<FilterScore>> scores(numbers.size());
  ThreadPool pool(state.threads);
  pool.parallel_for(numbers.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) scores[i] = hmmers_score(state, numbers[i], raw[i]);
  });
  u64 compared = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (problem.sequences().length(numbers[i]) == 0) continue;
    const Answer wanted = answer_of(numbers[i], scores[i]);
    const auto found = answers.find(wanted.key);
    if (found == answers.end() || static_cast<float>(found->second) != wanted.value)
      return {.passed = false,
              .checked = compared,
              .reason = fmt::format("sequence {}: expected {} {}, found {}", numbers[i] + 1, wanted.key,
                                    wanted.value,
                                    found == answers.end() ? "none" : fmt::format("{}", found->second))};
    ++compared;
  }
  return {.passed = true, .checked = compared, .reason = ""};
}

std::string why_no_passes(const FilterProblem& problem) {
  if (problem.cells() <= kMostPassCells) return "";
  return fmt::format("the oracle would compute {:.3g} cells, and computes up to {:.3g}", problem.cells(),
                     kMostPassCells);
}

/// The numbers of sequences that pass hmmsearch's filters, with the names of its statistics:
/// "MSV", "bias", "Vit".
Verification check_passes(const FilterProblem& problem, const FilterProblem::State& state,
                          const Answers& answers) {
  if (std::string reason = why_no_passes(problem); !reason.empty())
    return {.passed = true, .checked = 0, .reason = std::move(reason)};
  ThreadPool pool(state.threads);
  const PassCounts counts = oracle_passes(problem.model(), problem.profile(), problem.sequences(), pool);
  u64 compared = 0;
  for (const auto& [filter, expected] :
       {std::pair{"MSV", counts.msv}, std::pair{"bias", counts.bias}, std::pair{"Vit", counts.viterbi}}) {
    const auto found = answers.find(filter);
    if (found == answers.end())
      return {.passed = false,
              .checked = compared,
              .reason = fmt::format("no number of sequences that passed the {} filter", filter)};
    ++compared;
    if (found->second != static_cast<double>(expected))
      return {.passed = false,
              .checked = compared,
              .reason = fmt::format("sequences that passed the {} filter: expected {}, found {}", filter,
                                    expected, found->second)};
  }
  return {.passed = true, .checked = compared, .reason = ""};
}

}  // namespace

std::map<std::string, std::filesystem::path> FilterProblem::write_files(
    const std::filesystem::path& folder) const {
  std::map<std::string, std::filesystem::path> files;
  files["models"] = state_->models_file.value_or(folder / "model.hmm");
  files["sequences"] = state_->sequences_file.value_or(folder / "sequences.fasta");
  if (!state_->models_file)
    write_file(files["models"], [&](std::ostream& out) { write_model(out, model()); });
  if (!state_->sequences_file)
    write_file(files["sequences"], [&](std::ostream& out) { write_fasta(out, sequences()); });
  return files;
}

/// Answers of hmmsearch, or of a single filter, whose keys begin with a sequence's number.
Verification FilterProblem::check(const Answers& answers) const {
  const bool of_sequences = !answers.empty() && answers.begin()->first.find_first_of("0123456789") == 0;
  return of_sequences ? check_scores(*this, *state_, answers) : check_passes(*this, *state_, answers);
}

Maybe<Agreement> agreement(const FilterProblem& problem, const Answers& answers) {
  if (std::string reason = why_no_passes(problem); !reason.empty()) return {std::nullopt, std::move(reason)};
  ThreadPool pool(0);
  const std::vector<u8> passes =
      oracle_msv_passes(problem.model(), problem.profile(), problem.sequences(), pool);
  Agreement result;
  u64 listed = 0;
  for (u64 i = 0; i < passes.size(); ++i) {
    const bool is_listed = answers.contains(std::to_string(i + 1));
    listed += is_listed;
    if (!is_listed && passes[i] == 0) continue;
    ++result.compared;
    result.equal += is_listed && passes[i] != 0;
    if ((is_listed && passes[i] != 0) || !result.first_difference.empty()) continue;
    result.first_difference = fmt::format(
        "sequence {} {}", i + 1,
        is_listed ? "is listed and does not pass the MSV filter" : "passes the MSV filter and is not listed");
  }
  if (listed < answers.size())
    throw UsageError(fmt::format("{} of the keys are no sequence's number; allowed: 1 to {}",
                                 answers.size() - listed, passes.size()));
  return {result, {}};
}

}  // namespace gpuseq::profile_hmm
