#pragma once

#include <CLI/App.hpp>
#include <filesystem>

#include "bench/run/run.hpp"
#include "bench/terminal/terminal.hpp"
#include "reports/comparison/comparison.hpp"

namespace gpuseq::bench {

/// Where a comparison is written besides the table on standard output. An empty path: not at all; "-":
/// standard output, and then no table.
struct ComparisonOutputs {
  std::filesystem::path markdown = {}, junit = {}, json = {};
  std::filesystem::path history = {};  // a line per state is appended
  bool annotations = false;            // on standard output
  bool all_states = false;             // in the table, those that are the same as well
  ColourChoice colour = ColourChoice::automatic;
};

/// Accepts numbers between 0 and 1, both excluded; neither NaN.
CLI::Validator share_validator();

/// --markdown, --junit, --json, --history, --annotations, --all, --color
void add_output_options(CLI::App& command, ComparisonOutputs& outputs);

/// --min-effect, --confidence, --fdr, --allow, --allow-missing, --deleted; checked while the command line is
/// read.
void add_compare_options(CLI::App& command, comparison::CompareOptions& options);

/// Writes all that was asked for and prints the table. `next` is what the history is written from.
/// @throws UsageError if two outputs want standard output; ResourceError if a file cannot be written
void write_outputs(const ComparisonOutputs& outputs, const comparison::Comparison& comparison,
                   const comparison::Side& next);

/// The exit code of the program for a comparison.
ExitCode exit_code_of(const comparison::Comparison& comparison);

}  // namespace gpuseq::bench
