#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/bound/device_limits.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Time of an empty launch, from one record of the probe `launch`.
struct LaunchTime {
  std::string device;
  double seconds = 0;
};
/// Uses the fastest samples: disturbance only slows a launch down.
std::vector<LaunchTime> launch_times_of(std::span<const results::Record> records);

/// The rate of a state that takes as long as an empty launch. @returns neither value nor reason if no launch
/// was probed, as on the CPU
Maybe<results::Bound> launch_bound_of(const results::Record& record, std::span<const LaunchTime> launches);

/// Whether an empty launch is a large part of a state's time.
bool is_short(const results::Record& record, const results::Bound& launch);

/// Reduces an execution bound if a grid has fewer blocks than the GPU has SMs: it becomes that of the SMs
/// with a block, bound by the launch.
results::Bound of_used_multiprocessors(results::Bound execution, const results::Record& record,
                                       const DeviceLimits& limits);

}  // namespace gpuseq::bench
