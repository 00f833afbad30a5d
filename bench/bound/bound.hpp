#pragma once

#include <span>
#include <vector>

#include "bench/bound/curves.hpp"
#include "bench/bound/instruction_bound.hpp"
#include "bench/bound/launch_bound.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// The rate that the random-access probes of the same run say a state cannot exceed:
///   work / (blocks * block_bytes / bandwidth),
/// the bandwidth being the best that any probe curve of this device and access kind shows at the state's
/// footprint or a larger one (reached_at), interpolated over footprint and over block size (log-log); as many
/// blocks a second as are reached of larger blocks can be reached of smaller. Of a traffic with classes the
/// least such rate over their footprints, each with the blocks of its class and of those of larger
/// footprints; footprints below the first probed are left out. Of dependent accesses independent ones say as
/// much, which are no slower: the faster probe of the two counts, for what is probed is a lower bound of what
/// can be done. On the CPU there must be curves of as many threads as the state has (its `threads` axis;
/// without one, one thread); those of fewer threads count as well, for what fewer threads reach, more can.
/// @param curves  of the run, from curves_of()
/// @param all_threads  what a `threads` axis of 0 stands for
/// @param rate  measured, work per second; gives the fraction
/// @param limits  of the device: which level of memory holds the footprint
/// @returns the reason where no curve fits
Maybe<results::Bound> memory_bound_of(const results::StateKey& state, const Work& work,
                                      const Traffic& traffic, double rate, std::span<const Curve> curves,
                                      int all_threads, const DeviceLimits& limits = {});

/// The rate of accesses that wait for each other where no more than Traffic::in_flight are under way at a
/// time: work / (blocks * latency / in_flight), the latency that of the probe at the state's footprint or, of
/// a traffic with classes, at that of each class; footprints below the first probed count as nothing.
/// @returns neither value nor reason where that says nothing
Maybe<results::Bound> latency_bound_of(const results::StateKey& state, const Work& work,
                                       const Traffic& traffic, double rate, std::span<const Curve> curves);

/// What the probes of a run say of its devices.
struct ProbeResults {
  std::vector<Curve> curves;
  std::vector<Throughput> throughputs;
  std::vector<LaunchTime> launches;
};
ProbeResults probe_results(std::span<const results::Record> records);

/// That of a launch; neither value nor reason where it says nothing.
Maybe<results::Bound> launch_bound_of(const results::Record& record, const ProbeResults& probes,
                                      int all_threads);

/// The lower of two bounds, the one that there is, or both reasons.
Maybe<results::Bound> lower_of(const Maybe<results::Bound>& a, const Maybe<results::Bound>& b);

/// The bounds that a record's traffic (by bandwidth or by latency) and its instructions have; neither value
/// nor reason for what the record does not count.
/// @param record  with work and statistics
Maybe<results::Bound> memory_bound_of(const results::Record& record, const ProbeResults& probes,
                                      int all_threads);
Maybe<results::Bound> instruction_bound_of(const results::Record& record, const ProbeResults& probes,
                                           int all_threads);
/// The lower of both and, on a GPU, of an empty launch: of a state without the others only where that is a
/// good part of its time.
Maybe<results::Bound> bound_of(const results::Record& record, const ProbeResults& probes, int all_threads);

}  // namespace gpuseq::bench
