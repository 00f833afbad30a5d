#pragma once

#include <CLI/App.hpp>
#include <string>

namespace gpuseq::bench {

/// The manual page (section 1, in man's macros) of a program: its commands with their options, exit codes.
std::string manual_page(const CLI::App& app, const std::string& version);

/// A script for bash, and for zsh with bashcompinit, that completes commands, options and their words; files
/// elsewhere.
std::string completion_script(const CLI::App& app);

}  // namespace gpuseq::bench
