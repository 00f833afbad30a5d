#pragma once

#include "reports/charts/chart.hpp"

namespace gpuseq::reports::chart {

/// Leaves at most kMostSeries series beside the published ones, so that none shares its colour and shape with
/// another: those with the most marks, and a note says how many there are. In stacked bars, which must stay
/// whole, the least of each bar are joined as "other".
void limit_series(Chart& chart);

}  // namespace gpuseq::reports::chart
