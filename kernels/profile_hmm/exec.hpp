#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/profile_hmm/problem.hpp"
#include "kernels/profile_hmm/score_table.hpp"

namespace gpuseq::profile_hmm {

/// Data that exec() takes, with a line of meaning each.
std::vector<std::pair<std::string, std::string>> data_roles();

/// The file that exec() writes, open from the start: the work before it is written may be long.
class AnswerFile {
 public:
  /// @throws UsageError if "out" is missing or is a file of the data; ResourceError if it cannot be written
  explicit AnswerFile(const ExecRequest& request);
  std::ostream& out() { return out_; }
  /// @throws ResourceError if it could not be written so far
  void check();
  void close();

 private:
  std::filesystem::path path_;
  std::ofstream out_;
};

struct ExecInput {
  std::vector<Model> models;
  std::shared_ptr<const Sequences> sequences;
  std::filesystem::path cache_dir;
};

/// The models and sequences of a request; of its problem's axes it takes model (only that one) and
/// sequence_count (only so many from the start).
/// @throws UsageError as load_problem() does, for other axes, or if a file is not given
ExecInput load_request(const ExecRequest& request);

/// Raw scores of a problem's sequences.
using Scorer = std::function<std::vector<RawScore>(FilterProblem&)>;

/// Scores every model against all sequences with each filter and writes the table, one model after the other.
/// @param report  takes hmmsearch's summary of each model, and remarks
void write_answers(const ExecInput& input, const Scorer& scorer, AnswerFile& file,
                   const std::function<void(const std::string&)>& report);

}  // namespace gpuseq::profile_hmm
