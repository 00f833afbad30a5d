#pragma once

#include <filesystem>
#include <vector>

#include "bench/tools/chart.hpp"

namespace gpuseq::bench {

/// Draws a chart by the Python package into files that end in .vl.json, .svg, .png or .pdf.
/// @throws ResourceError if the package is missing or fails
void draw_chart(const chart::LineChart& chart, const std::vector<std::filesystem::path>& files);

/// The Vega-Lite and a picture of a chart, in a folder that is there; prints where they are. Without the
/// package it prints how to get it.
void write_chart(const chart::LineChart& chart, const std::filesystem::path& folder, const std::string& name);

}  // namespace gpuseq::bench
