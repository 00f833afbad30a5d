#pragma once

#include <CLI/App.hpp>

#include "bench/terminal/terminal.hpp"

namespace gpuseq::bench {

/// --color auto|always|never
void add_color_option(CLI::App& command, ColourChoice& choice);

}  // namespace gpuseq::bench
