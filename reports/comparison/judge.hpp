#pragma once

#include <vector>

#include "reports/comparison/comparison.hpp"
#include "reports/comparison/observations.hpp"

namespace gpuseq::comparison {

/// Fills in all numbers of a state that both sides measured, but for q.
void compare_values(StateComparison& state, const Values& base, const Values& next,
                    const CompareOptions& options, results::InferenceTables& tables);

/// Corrects the p values of all judged states together and gives each its verdict and reason. A regression
/// needs the whole interval beyond the threshold, and q within the false discovery rate.
void judge(const std::vector<StateComparison*>& states, const CompareOptions& options);

}  // namespace gpuseq::comparison
