#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// The command line of a parsed command for the Python package, positional words first. It reads CLI11's
/// results, so the options need no variables.
/// @param left_out  names of options unknown to the package
std::vector<std::string> command_words(const CLI::App& command,
                                       const std::vector<std::string>& left_out = {});

}  // namespace gpuseq::bench
