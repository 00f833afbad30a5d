#pragma once

#include <span>
#include <vector>

#include "bench/plan/plan.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Whether a kernel was faster than its bound by more than both are sure of.
bool is_violated(const results::Record& record);

/// Gives a record its bound, and the note that it is violated where it is; one of an earlier bound goes.
void settle_bound(results::Record& record, Maybe<results::Bound> bound);

/// The probes that a record's bound stands on: of what it is bound by, on the devices that do its work,
/// those of its operations or of footprints around its own.
std::vector<State> probes_behind(const results::Record& record, std::span<const State> probes);

}  // namespace gpuseq::bench
