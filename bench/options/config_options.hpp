#pragma once

#include <CLI/App.hpp>

#include "bench/run/run.hpp"

namespace gpuseq::bench {

/// The options that choose a config and say what is different from it.
void add_config_options(CLI::App& command, ConfigChoice& config);

}  // namespace gpuseq::bench
