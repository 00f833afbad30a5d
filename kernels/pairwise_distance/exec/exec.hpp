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

/// Data and further outputs of exec(), with a line of meaning each, and its options.
std::vector<std::pair<std::string, std::string>> data_roles();
std::vector<std::pair<std::string, std::string>> output_roles();
const SearchSpace& exec_options();

/// All files of the data: PLINK's genotypes have two beside them. @throws UsageError if the first is not
/// given
std::map<std::string, std::filesystem::path> files_of(const ExecRequest& request);

/// The problem of a request. @throws UsageError as load_problem() does, or if the file is not given
std::unique_ptr<DistanceProblem> load_request(const ExecRequest& request);

/// Writes what was asked for, band after band as the session makes them, and puts it in its place.
/// @param options  completed
/// @param report  takes the time of "compute"
/// @return a line for the user: what was compared, how much of it is missing, and the fewest attributes that
/// a pair was compared by
std::string write_answers(const DistanceProblem& problem, DistanceSession& session, const Point& options,
                          OutputFiles& files, ExecReport& report);

}  // namespace gpuseq::pairwise_distance
