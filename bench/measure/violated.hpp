#pragma once

#include <span>
#include <vector>

#include "bench/plan/plan.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Whether a kernel was faster than its bound beyond the uncertainty of both.
bool is_violated(const results::Record& record);

/// Sets a record's bound, with a note if it is violated, and removes the note of an earlier bound.
void settle_bound(results::Record& record, Maybe<results::Bound> bound);

/// The probes behind a record's bound: of the resource that bounds it, on its working devices, for its
/// operations or for footprints near its own.
std::vector<State> probes_behind(const results::Record& record, std::span<const State> probes);

}  // namespace gpuseq::bench
