#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// "-c", "--config"; none of a positional argument.
std::vector<std::string> names_of(const CLI::Option& option);

/// The words that an option allows; empty if it allows others.
std::vector<std::string> words_of(const CLI::Option& option);

/// An option's value in help: "auto|run", "SECONDS", "N from 1 to 64"; empty for a flag.
std::string value_of(const CLI::Option& option);

/// Prints help at 80 columns, breaking between words.
std::shared_ptr<CLI::Formatter> help_formatter();

}  // namespace gpuseq::bench
