#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// The command line of a parsed command that the package does, with positional words first; its options need
/// no variables.
/// @param left_out  names of options that the package does not have
std::vector<std::string> command_words(const CLI::App& command,
                                       const std::vector<std::string>& left_out = {});

}  // namespace gpuseq::bench
