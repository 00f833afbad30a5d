#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/papara/data/load.hpp"
#include "runtime/io/output_files.hpp"

namespace gpuseq::papara {

/// Input data and optional outputs of exec(), each with a one-line description.
std::vector<std::pair<std::string, std::string>> data_roles();
std::vector<std::pair<std::string, std::string>> output_roles();

/// The problem of a request. @throws UsageError like load_problem(), or if a file is missing in the request
LoadedProblem load_request(const ExecRequest& request);

/// Aligns every query to its best edge and writes the requested outputs to their files.
/// @param scores  [queries][references]
/// @return remarks for the user: queries that were not aligned or were renamed
std::vector<std::string> write_answers(const LoadedProblem& loaded, std::span<const i32> scores,
                                       OutputFiles& files);

}  // namespace gpuseq::papara
