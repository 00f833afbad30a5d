#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/exact_match/problem.hpp"

namespace gpuseq::exact_match {

/// Data that exec() takes and what it writes, with a line of meaning each.
std::vector<std::pair<std::string, std::string>> data_roles();

/// The options of exec(): search_axes(), and how a reference is split that is too large for one tree.
const SearchSpace& exec_options();

/// Searches the queries of a request's file block by block and writes the matches as mummer prints them.
/// Queries are read by several threads from the start, while the tree is made; searching, formatting and
/// writing of blocks go on at the same time. Memory is that of the tree and of a number of blocks.
///
/// The file takes its place when the last block is written; after an error the old one is as it was.
/// @param variant  that the request names
/// @param report  takes lines about the seconds of each step
/// @throws UsageError for a malformed file or an output that is a file of the data; ResourceError if it
/// cannot be written
ExecReport write_matches(const ExecRequest& request, const MatchVariant& variant, Device& device,
                         const std::function<void(const std::string&)>& report);

}  // namespace gpuseq::exact_match
