#pragma once

#include <span>
#include <vector>

#include "bench/plan/plan.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Whether a kernel was faster than its ceiling by more than both are sure of.
bool is_refuted(const results::Record& record);

/// Gives a record its ceiling, and the note that it is refuted where it is; one of an earlier ceiling goes.
void settle_ceiling(results::Record& record, Maybe<results::Ceiling> ceiling);

/// The probes that a record's ceiling stands on: of what it is bound by, on the devices that do its work,
/// those of its operations or of footprints around its own.
std::vector<State> probes_behind(const results::Record& record, std::span<const State> probes);

}  // namespace gpuseq::bench
