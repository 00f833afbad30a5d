#include <fmt/format.h>

#include <cerrno>
#include <fstream>

#include "kernels/profile_hmm/checked_passes.hpp"
#include "kernels/profile_hmm/problem_state.hpp"
#include "runtime/io/atomic_file.hpp"

// What hmmsearch needs to search the same sequences with the same model, and to be checked by the same
// oracle.

namespace gpuseq::profile_hmm {
namespace {

/// The oracle computes so many cells of SSV, and a few of the others, in some seconds.
constexpr double kMostPassCells = 2e10;

template <typename Write>
void write_file(const std::filesystem::path& path, Write write) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw_unwritable(path, errno);
  write(file);
  file.close();
  if (!file) throw_unwritable(path, errno);
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

/// The numbers of sequences that pass hmmsearch's filters, by the words of its statistics: "MSV", "bias",
/// "Vit".
Verification FilterProblem::check(const Answers& answers) const {
  if (cells() > kMostPassCells)
    return {.passed = true,
            .checked = 0,
            .reason = fmt::format("the oracle would compute {:.3g} cells, and computes up to {:.3g}", cells(),
                                  kMostPassCells)};
  ThreadPool pool(state_->threads);
  const PassCounts counts = oracle_passes(model(), profile(), sequences(), pool);
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

}  // namespace gpuseq::profile_hmm
