#pragma once

#include <vector>

#include "reports/charts/chart.hpp"
#include "reports/comparison/history.hpp"

namespace gpuseq::comparison {

/// Time of each state over commits, relative to its level before the first step; a panel a state,
/// its steps as shaded lines across. The first series are drawn, as many as a figure has room for.
/// @throws UsageError if there is no series
reports::chart::LineChart draw_history(const std::vector<HistorySeries>& series);

}  // namespace gpuseq::comparison
