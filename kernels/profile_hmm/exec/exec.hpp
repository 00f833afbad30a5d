#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernels/profile_hmm/exec/score_table.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/io/output_files.hpp"

namespace gpuseq::profile_hmm {

/// Input data of exec(), each with a one-line description.
std::vector<std::pair<std::string, std::string>> data_roles();

/// All files of the data: a BLAST database has two more files next to the given one.
std::map<std::string, std::filesystem::path> files_of(const ExecRequest& request);

/// Command-line options of exec() in addition to axes.
const SearchSpace& exec_options();

struct ExecInput {
  std::vector<Model> models;
  std::shared_ptr<const Sequences> sequences;
  std::filesystem::path cache_dir;
  bool passing = false;  // score and write only the sequences that hmmsearch's pipeline continues with
};

/// The models and sequences of a request. Its problem's axes may be model (only this one) and sequence_count
/// (only the first sequences).
/// @throws UsageError like load_problem(), for other axes, or if a file is missing in the request
ExecInput load_request(const ExecRequest& request);

/// Raw scores of a problem's sequences.
using Scorer = std::function<std::vector<RawScore>(FilterProblem&)>;

/// Scores every model against all sequences with each filter, or each filter against those that pass the
/// previous filter; writes the table, one model after the other, to its file.
/// @param report  receives hmmsearch's summary of each model, and remarks
void write_answers(const ExecInput& input, const Scorer& scorer, OutputFiles& files,
                   const std::function<void(const std::string&)>& report);

}  // namespace gpuseq::profile_hmm
