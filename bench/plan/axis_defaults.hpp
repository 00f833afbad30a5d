#pragma once

#include <span>

#include "bench/plan/state.hpp"
#include "results/names/axis_defaults.hpp"

namespace gpuseq::bench {

/// The defaults of the families and variants that states are of.
results::AxisDefaults defaults_of(std::span<const State> states);

}  // namespace gpuseq::bench
