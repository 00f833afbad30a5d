#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/exact_match/problem.hpp"

namespace gpuseq::exact_match {

/// Input data and outputs of exec(), each with a one-line description.
std::vector<std::pair<std::string, std::string>> data_roles();

/// The options of exec(): search_axes(), and the split of a reference that is too large for one tree.
const SearchSpace& exec_options();

/// Searches the queries of a request's file block by block and writes the matches in mummer's format. Several
/// threads read queries from the start, while the tree is built; searching, formatting and writing of blocks
/// overlap. Memory is that of the tree and of a number of blocks.
///
/// The output file is replaced after the last block is written; after an error the old file is unchanged.
/// @param variant  named by the request
/// @param report  receives lines about the seconds of each step
/// @throws UsageError for a malformed file or an output that is an input file; ResourceError if
/// it cannot be written
ExecReport write_matches(const ExecRequest& request, const MatchVariant& variant, Device& device,
                         const std::function<void(const std::string&)>& report);

}  // namespace gpuseq::exact_match
