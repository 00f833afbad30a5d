#pragma once

#include <span>
#include <vector>

#include "bench/bound/curves.hpp"
#include "bench/bound/instruction_bound.hpp"
#include "bench/bound/launch_bound.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// The upper bound of a state's rate from the random-access probes of the same run:
///   work / (blocks * block_bytes / bandwidth),
/// where the bandwidth is the best of all curves of this device and access kind at the state's footprint or a
/// larger one (reached_at), interpolated over footprint and block size (log-log). Smaller blocks can reach
/// the block rate of larger ones. For a traffic with classes, it is the least such rate over their
/// footprints, each with the blocks of its class and of larger classes; footprints below the first probed one
/// are left out. Independent accesses are no slower than dependent ones, so both probes are used for
/// dependent accesses and the faster one counts: a probed rate is a lower limit of the device's rate.
/// On the CPU there must be curves with the state's number of threads (its `threads` axis; without it, one
/// thread); those with fewer threads count too, as more threads are at least as fast.
/// @param curves  of the run, from curves_of()
/// @param all_threads  threads for a `threads` axis of 0
/// @param rate  measured, work per second; gives the fraction
/// @param limits  of the device: the sizes of its memory levels
/// @returns the reason if no curve fits
Maybe<results::Bound> memory_bound_of(const results::StateKey& state, const Work& work,
                                      const Traffic& traffic, double rate, std::span<const Curve> curves,
                                      int all_threads, const DeviceLimits& limits = {});

/// The upper bound of the rate of dependent accesses with at most Traffic::in_flight of them at a time:
///   work / (blocks * latency / in_flight).
/// The latency is that of the probe at the state's footprint or, for a traffic with classes, at that of each
/// class. Footprints below the first probed one are ignored.
/// @returns neither value nor reason if there is no such bound
Maybe<results::Bound> latency_bound_of(const results::StateKey& state, const Work& work,
                                       const Traffic& traffic, double rate, std::span<const Curve> curves);

/// Results of a run's probes for its devices.
struct ProbeResults {
  std::vector<Curve> curves;
  std::vector<Throughput> throughputs;
  std::vector<LaunchTime> launches;
};
ProbeResults probe_results(std::span<const results::Record> records);

/// The bound of a launch; neither value nor reason if there is none.
Maybe<results::Bound> launch_bound_of(const results::Record& record, const ProbeResults& probes,
                                      int all_threads);

/// The lower of two bounds, the only one, or both reasons.
Maybe<results::Bound> lower_of(const Maybe<results::Bound>& a, const Maybe<results::Bound>& b);

/// The bounds from a record's traffic (by bandwidth or by latency) and from its instructions; neither value
/// nor reason if the record has no such counts.
/// @param record  with work and statistics
Maybe<results::Bound> memory_bound_of(const results::Record& record, const ProbeResults& probes,
                                      int all_threads);
Maybe<results::Bound> instruction_bound_of(const results::Record& record, const ProbeResults& probes,
                                           int all_threads);
/// The lower of both bounds and, on a GPU, of an empty launch. Without the others, the latter is used only if
/// an empty launch is a large part of the state's time.
Maybe<results::Bound> bound_of(const results::Record& record, const ProbeResults& probes, int all_threads);

}  // namespace gpuseq::bench
