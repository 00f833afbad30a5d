#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bench/plan/sizes/sizes.hpp"

namespace gpuseq::bench {

/// Measures the steps of a problem's growth within so many seconds for them and the sweeps behind them.
/// @returns its end
using Grow = std::function<SizeStep(std::size_t problem, double limit_s)>;
/// Seconds that all problems may take together, given the found sizes; kNoBudget: as many as they need.
using SecondsForSizes = std::function<double(std::span<const SizeStep> found)>;

/// Finds the sizes of several problems. First each has an equal share of the seconds, with the rest that
/// earlier ones left. Then those that the budget stopped have all that others leave, first the one whose
/// rate changed most in its last step: equal parts of the rest may be too small for the next step of any.
std::vector<SizeStep> sizes_within(std::size_t problems, const SecondsForSizes& seconds_for,
                                   const Grow& grow);

}  // namespace gpuseq::bench
