#pragma once

#include <span>

#include "bench/phases/predict/predictions.hpp"
#include "bench/tools/chart.hpp"

namespace gpuseq::bench {

/// What was measured over what had been predicted, a panel a problem that was judged, a mark a point. No
/// panels where none was.
chart::LineChart prediction_chart(std::span<const PredictedContest> contests);

}  // namespace gpuseq::bench
