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

/// Data that exec() takes, with a line of meaning each.
std::vector<std::pair<std::string, std::string>> data_roles();

/// All files of the data: two of a BLAST database lie beside the third.
std::map<std::string, std::filesystem::path> files_of(const ExecRequest& request);

/// What the command line may ask of exec() beside axes.
const SearchSpace& exec_options();

struct ExecInput {
  std::vector<Model> models;
  std::shared_ptr<const Sequences> sequences;
  std::filesystem::path cache_dir;
  bool passing = false;  // score and write only what hmmsearch's pipeline goes on with
};

/// The models and sequences of a request; of its problem's axes it takes model (only that one) and
/// sequence_count (only so many from the start).
/// @throws UsageError as load_problem() does, for other axes, or if a file is not given
ExecInput load_request(const ExecRequest& request);

/// Raw scores of a problem's sequences.
using Scorer = std::function<std::vector<RawScore>(FilterProblem&)>;

/// Scores every model against all sequences with each filter, or each filter against those that pass the one
/// before; writes the table, one model after the other, and puts it in its place.
/// @param report  takes hmmsearch's summary of each model, and remarks
void write_answers(const ExecInput& input, const Scorer& scorer, OutputFiles& files,
                   const std::function<void(const std::string&)>& report);

}  // namespace gpuseq::profile_hmm
