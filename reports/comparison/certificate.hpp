#pragma once

#include <cstddef>

#include "reports/comparison/comparison.hpp"

namespace gpuseq::comparison {

/// Upper bound of a share of which `found` of `tried` were seen, at a confidence (Clopper and Pearson 1934).
/// 1 where nothing was tried.
double upper_bound_of_share(std::size_t found, std::size_t tried, double confidence);

/// What verdicts on this machine are worth, tried on the base's processes: both sides of each comparison are
/// drawn from them with replacement, as many as each side has, whole processes with all their states. A
/// comparison of such sides in which a state regressed is a false alarm; then one variant after the other is
/// made slower on one side. Further rounds of a gate, which decide more, are not drawn: what is caught here
/// is caught at the first verdict.
/// @returns no value, with the reason, where a side has fewer than results::kFewestValues processes
Maybe<Certificate> certify(const Side& base, std::size_t new_processes, const CompareOptions& options);

}  // namespace gpuseq::comparison
