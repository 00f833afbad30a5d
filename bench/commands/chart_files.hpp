#pragma once

#include <filesystem>
#include <string>

#include "reports/charts/chart.hpp"

namespace gpuseq::bench {

/// Writes a chart's Vega-Lite and, where there is a renderer, a picture of the page's width, and says where
/// they are.
/// @param folder  is there
/// @param name  of the files, without what stands behind
/// @throws ResourceError if they cannot be written
void write_chart(const reports::chart::LineChart& chart, const std::filesystem::path& folder,
                 const std::string& name);

}  // namespace gpuseq::bench
