#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/papara/data/load.hpp"
#include "runtime/io/output_files.hpp"

namespace gpuseq::papara {

/// Data and further outputs of exec(), with a line of meaning each.
std::vector<std::pair<std::string, std::string>> data_roles();
std::vector<std::pair<std::string, std::string>> output_roles();

/// The problem of a request. @throws UsageError as load_problem() does, or if a file is not given
LoadedProblem load_request(const ExecRequest& request);

/// Aligns every query to its best edge, writes what was asked for and puts it in its place.
/// @param scores  [queries][references]
/// @return remarks for the user: what was not aligned, or got another name
std::vector<std::string> write_answers(const LoadedProblem& loaded, std::span<const i32> scores,
                                       OutputFiles& files);

}  // namespace gpuseq::papara
