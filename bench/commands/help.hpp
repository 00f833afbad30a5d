#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// "-c", "--config"; none of a positional argument.
std::vector<std::string> names_of(const CLI::Option& option);

/// What an option that takes one of some words takes; else nothing.
std::vector<std::string> words_of(const CLI::Option& option);

/// What stands for an option's value: "auto|run", "SECONDS", "N from 1 to 64"; empty for a flag.
std::string value_of(const CLI::Option& option);

/// Prints help at 80 columns, breaking between words.
std::shared_ptr<CLI::Formatter> help_formatter();

}  // namespace gpuseq::bench
