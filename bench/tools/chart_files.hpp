#pragma once

#include <filesystem>
#include <vector>

#include "bench/tools/chart.hpp"

namespace gpuseq::bench {

/// Draws a chart with the Python package into files that end in .vl.json, .svg, .png or .pdf.
/// @throws ResourceError if the package is missing or fails
void draw_chart(const chart::LineChart& chart, const std::vector<std::filesystem::path>& files);

/// Writes the Vega-Lite and a picture of a chart to an existing folder, and prints their paths. Without the
/// package it prints how to install it.
void write_chart(const chart::LineChart& chart, const std::filesystem::path& folder, const std::string& name);

}  // namespace gpuseq::bench
