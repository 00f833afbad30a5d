#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/bound/device_limits.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// What an empty launch takes, by one record of the probe `launch`.
struct LaunchTime {
  std::string device;
  double seconds = 0;
};
/// The fastest samples: what disturbs a launch only ever slows it down.
std::vector<LaunchTime> launch_times_of(std::span<const results::Record> records);

/// The rate of a state that takes no longer than an empty launch. @returns neither value nor reason where no
/// launch was probed, as on the CPU
Maybe<results::Bound> launch_bound_of(const results::Record& record, std::span<const LaunchTime> launches);

/// Whether a state is so short that an empty launch is a good part of it.
bool is_short(const results::Record& record, const results::Bound& launch);

/// A bound of what executes instructions where a grid has fewer blocks than the GPU has multiprocessors:
/// that of the multiprocessors that have a block, bound by the launch.
results::Bound of_used_multiprocessors(results::Bound execution, const results::Record& record,
                                       const DeviceLimits& limits);

}  // namespace gpuseq::bench
