#pragma once

#include <span>

#include "bench/phases/predict/predictions.hpp"
#include "bench/tools/chart.hpp"

namespace gpuseq::bench {

/// Measured rates over predicted rates, a panel per judged problem, a mark per point. No
/// panels where none was.
chart::LineChart prediction_chart(std::span<const PredictedContest> contests);

}  // namespace gpuseq::bench
