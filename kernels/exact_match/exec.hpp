#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/exact_match/problem.hpp"

namespace gpuseq::exact_match {

/// Data that exec() takes and what it writes, with a line of meaning each.
std::vector<std::pair<std::string, std::string>> data_roles();

/// The options of exec(): search_axes().
const SearchSpace& exec_options();

/// Makes a variant's searcher for a reference.
using MakeSearcher =
    std::function<std::unique_ptr<Searcher>(const Reference& reference, const Search& search)>;

/// Searches the queries of a request's file block by block and writes the matches as mummer prints them; the
/// next block is read and the last one written meanwhile.
/// @param report  takes a line about the seconds of each step
/// @throws UsageError for a malformed file or an output that is a file of the data; ResourceError if it
/// cannot be written
void write_matches(const ExecRequest& request, const MakeSearcher& make_searcher,
                   const std::function<void(const std::string&)>& report);

}  // namespace gpuseq::exact_match
