#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "kernels/papara/load.hpp"

namespace gpuseq::papara {

/// Data and further outputs of exec(), with a line of meaning each.
std::vector<std::pair<std::string, std::string>> data_roles();
std::vector<std::pair<std::string, std::string>> output_roles();

/// The files that exec() writes, open from the start: the work before they are written may be long.
class AnswerFiles {
 public:
  /// @throws UsageError if "out" is missing, or a file is named twice or is one of the data's; ResourceError
  /// if one cannot be written
  explicit AnswerFiles(const ExecRequest& request);
  bool has(const std::string& role) const { return files_.contains(role); }
  const std::filesystem::path& path(const std::string& role) const { return files_.at(role).path; }
  std::ostream& at(const std::string& role) { return files_.at(role).out; }
  /// @throws ResourceError if a file could not be written to its end
  void close();

 private:
  struct File {
    std::filesystem::path path;
    std::ofstream out;
  };
  std::map<std::string, File> files_;
};

/// The problem of a request. @throws UsageError as load_problem() does, or if a file is not given
LoadedProblem load_request(const ExecRequest& request);

/// Aligns every query to its best edge and writes what was asked for.
/// @param scores  [queries][references]
/// @return remarks for the user: what was not aligned, or got another name
std::vector<std::string> write_answers(const LoadedProblem& loaded, std::span<const i32> scores,
                                       AnswerFiles& files);

}  // namespace gpuseq::papara
