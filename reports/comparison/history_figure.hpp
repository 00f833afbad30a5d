#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/comparison/history.hpp"

namespace gpuseq::comparison {

/// Vega-Lite: time of each state over commits, relative to its level before the first step; a panel a state,
/// its steps as shaded lines across. The first series are drawn, as many as a figure has room for.
/// @throws UsageError if there is no series
nlohmann::ordered_json draw_history(const std::vector<HistorySeries>& series);

}  // namespace gpuseq::comparison
