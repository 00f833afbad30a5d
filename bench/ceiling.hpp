#pragma once

#include <span>

#include "bench/curves.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// The rate that the random-access probes of the same run say a state cannot exceed:
///   work / (blocks * block_bytes / bandwidth),
/// the bandwidth being the best that any probe curve of this device and access kind shows at the state's
/// footprint, interpolated over footprint and over block size (log-log). Where dependent accesses were
/// not probed, independent ones stand in: they are no slower. On the CPU there must be
/// curves of as many threads as the state has (its `threads` axis; without one, one thread); those of fewer
/// threads count as well, for what fewer threads reach, more can.
/// @param curves  of the run, from curves_of()
/// @param all_threads  what a `threads` axis of 0 stands for
/// @param rate  measured, work per second; gives the fraction
/// @returns the reason where no curve fits
Maybe<results::Ceiling> ceiling_of(const results::StateKey& state, const Work& work, const Traffic& traffic,
                                   double rate, std::span<const Curve> curves, int all_threads);

}  // namespace gpuseq::bench
