#pragma once

#include <CLI/App.hpp>
#include <CLI/CLI.hpp>

#include "bench/run/run.hpp"
#include "bench/run/terminal/terminal.hpp"

namespace gpuseq::bench {

/// The options that choose a config and override parts of it.
void add_config_options(CLI::App& command, ConfigChoice& config);

/// --color auto|always|never
void add_color_option(CLI::App& command, ColourChoice& choice);

/// For `transform` of an option of seconds: "90", "90s", "2min" or "1h", above 0 and up to a year.
CLI::Validator as_seconds();

}  // namespace gpuseq::bench
