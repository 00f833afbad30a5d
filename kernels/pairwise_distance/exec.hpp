#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance {

/// Data and further outputs of exec(), with a line of meaning each, and its options.
std::vector<std::pair<std::string, std::string>> data_roles();
std::vector<std::pair<std::string, std::string>> output_roles();
const SearchSpace& exec_options();

/// The files that exec() writes, open from the start: the work before they are written may be long.
class AnswerFiles {
 public:
  /// @throws UsageError if "out" is missing, or a file is named twice or is one of the data's; ResourceError
  /// if one cannot be written
  explicit AnswerFiles(const ExecRequest& request);
  bool has(const std::string& role) const { return files_.contains(role); }
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

/// The problem of a request. @throws UsageError as load_problem() does, or if the file is not given
std::unique_ptr<DistanceProblem> load_request(const ExecRequest& request);

/// Writes what was asked for.
/// @param options  completed
/// @return a line for the user: what was compared, how much of it is missing, and the fewest attributes that
/// a
///   pair was compared by
std::string write_answers(const DistanceProblem& problem, const Distances& distances, const Point& options,
                          AnswerFiles& files);

}  // namespace gpuseq::pairwise_distance
