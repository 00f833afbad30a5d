#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/io/output_files.hpp"

namespace gpuseq::pairwise_distance {

/// Input data and optional outputs of exec(), each with a one-line description, and its options.
std::vector<std::pair<std::string, std::string>> data_roles();
std::vector<std::pair<std::string, std::string>> output_roles();
const SearchSpace& exec_options();

/// All files of the data: PLINK's genotypes have two more in the same folder. @throws UsageError if the first
/// is missing in the request
std::map<std::string, std::filesystem::path> files_of(const ExecRequest& request);

/// The problem of a request. @throws UsageError like load_problem(), or if the file is missing in the request
std::unique_ptr<DistanceProblem> load_request(const ExecRequest& request);

/// Writes the requested outputs to their files, band by band as the session computes them.
/// @param options  completed
/// @param report  receives the time of "compute"
/// @return a line for the user: the compared data, the share of missing values, and the least number of
/// compared attributes of a pair
std::string write_answers(const DistanceProblem& problem, DistanceSession& session, const Point& options,
                          OutputFiles& files, ExecReport& report);

}  // namespace gpuseq::pairwise_distance
