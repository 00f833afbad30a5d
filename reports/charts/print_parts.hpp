#pragma once

#include <string>
#include <vector>

#include "reports/charts/chart.hpp"

/// A figure as pictures for a paper: without words that a caption has, and as many as it takes to keep each
/// within its height.
namespace gpuseq::reports::chart {

struct PrintPart {
  Chart chart;
  Style style;
};

/// The parts of a chart, in the order of its panels; panels of rows that are too many are parted, too.
/// @param style  a bare one
std::vector<PrintPart> parts_of(const Chart& chart, const Style& style);

/// Title, title of a single panel and notes, in sentences; of a part which it is.
std::string caption_of(const Chart& chart, std::size_t part, std::size_t parts);

}  // namespace gpuseq::reports::chart
