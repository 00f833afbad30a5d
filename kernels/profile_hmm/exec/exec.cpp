#include "kernels/profile_hmm/exec/exec.hpp"

#include <fmt/format.h>

#include <numeric>

#include "kernels/common/exec_files.hpp"
#include "kernels/profile_hmm/checked_sequences.hpp"
#include "kernels/profile_hmm/exec/pipeline.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::profile_hmm {
namespace {

namespace fs = std::filesystem;

const fs::path& data_file(const ExecRequest& request, const std::string& role) {
  return file_for(request.data, role, "profile_hmm", fmt::format("--data {}=path", role));
}

/// The problem's axes that exec supports, completed. @throws UsageError for other axes
Point exec_axes(const Point& given) {
  for (const auto& [axis, value] : given.values())
    if (axis != "model" && axis != "sequence_count")
      throw UsageError(
          fmt::format("--problem {}: exec profile_hmm scores with all filters and reads files; "
                      "allowed: model, sequence_count",
                      axis));
  return problem_space().complete(given);
}

/// Scores of all sequences by the oracle, for models that no variant scores like HMMER.
std::vector<RawScore> scores_by_oracle(const Profile& profile, Filter filter, const Sequences& sequences,
                                       ThreadPool& pool) {
  std::vector<u64> all(sequences.count());
  std::iota(all.begin(), all.end(), u64{0});
  return oracle_scores(profile, filter, sequences, all, pool);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> data_roles() {
  return {{"models", "profile HMMs of amino acids: HMMER3 ASCII, one or many, gzip or plain"},
          {"sequences", "proteins: FASTA, gzip or plain, or a .psq volume of a BLAST database of version 4"},
          {"out", "tab-separated: for every model and sequence the scores and P values of the filters"}};
}

const SearchSpace& exec_options() {
  static const SearchSpace space({listed_axis(
      "passing", {std::string("no"), std::string("yes")}, std::string("no"),
      "work as hmmsearch does: rows only of sequences that pass the MSV filter, Viterbi scores only "
      "of those that pass the bias filter too; the numbers that pass are the same")});
  return space;
}

std::map<std::string, fs::path> files_of(const ExecRequest& request) {
  std::map<std::string, fs::path> files = request.data;
  const auto sequences = request.data.find("sequences");
  if (sequences == request.data.end()) return files;
  for (const fs::path& beside : companions_of(sequences->second))
    files[fmt::format("sequences ({})", beside.extension().string())] = beside;
  return files;
}

ExecInput load_request(const ExecRequest& request) {
  const Point axes = exec_axes(request.problem);
  const fs::path& models = data_file(request, "models");
  const fs::path& sequences = data_file(request, "sequences");
  ExecInput input{.models = read_models(models),
                  .sequences = nullptr,
                  .cache_dir = request.cache_dir,
                  .passing = exec_options().complete(request.options).word("passing") == "yes"};
  if (request.problem.has("model")) {
    const auto number = static_cast<u64>(axes.integer("model"));
    if (number > input.models.size())
      throw UsageError(fmt::format("--problem model: found {}, allowed: 1 to the {} of {}", number,
                                   input.models.size(), models.string()));
    input.models = {std::move(input.models[number - 1])};
  }
  input.sequences = std::make_shared<Sequences>(
      read_sequences(sequences, static_cast<u64>(axes.integer("sequence_count"))));
  return input;
}

void write_answers(const ExecInput& input, const Scorer& scorer, OutputFiles& files,
                   const std::function<void(const std::string&)>& report) {
  const Sequences& sequences = *input.sequences;
  ThreadPool pool;
  if (const std::string warning = warning_of_empty(sequences); !warning.empty()) report(warning + "\n");
  write_score_header(files.at("out"));
  for (const Model& model : input.models) {
    const Profile profile = make_profile(model);
    const auto score = [&](Filter filter, const std::shared_ptr<const Sequences>& of) {
      if (filter == Filter::viterbi && delete_bound_is_low(profile)) {
        report(
            fmt::format("{}: its Viterbi scores are the oracle's: HMMER leaves out deletions of it that "
                        "count, which no variant does\n",
                        printable(model.name)));
        return scores_by_oracle(profile, filter, *of, pool);
      }
      return scorer(*make_problem(model, of, filter, input.cache_dir));
    };
    const Scored scored = input.passing ? score_passing(model, profile, input.sequences, score, pool)
                                        : score_all(input.sequences, score);
    PassCounts counts = write_scores(files.at("out"), model, profile, *scored.sequences, scored.raw, pool);
    counts.sequences = sequences.count();
    files.flush();
    report(summary(model, sequences, counts));
  }
  files.commit();
}

}  // namespace gpuseq::profile_hmm
