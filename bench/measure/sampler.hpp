#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/measure/reference_loop.hpp"
#include "results/record.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/family.hpp"
#include "runtime/time/clock_step.hpp"

namespace gpuseq::bench {

struct Samples {
  std::vector<double> seconds;  // of a launch, in the order in which they were taken
  int launches_per_sample = 1;
  std::vector<double> single_launch_s;  // of launches that were timed in batches; see take_samples()
  int discarded_throttled = 0;
  int discarded_interference = 0;
  std::optional<results::ReferenceLoopTimes> reference_loop;
  std::string stopped_by;
  std::vector<std::string> notes;
};

/// Times launches of a session on the device's own clock until the median's interval is narrow or a limit is
/// met. Launches shorter than options.short_launch_seconds are timed in batches, so that neither the clock's
/// steps nor what starting costs hides them, and then some one by one on the host's clock, from the call
/// until the device is idle. With cold caches every launch is timed alone. Samples taken while the clock is
/// far below its maximum are discarded and counted; with a reference loop so are those beside which it is
/// slow, and the state may take longer for it (see InterferenceFilter).
/// @param alive called before every launch, so that a watcher sees progress
/// @param reference_loop  of launches that a thread of this process or a pool of it does; null: interference
/// are not watched. Where the host's clock moves in long steps, a sample on a CPU has so many launches that
/// it is long compared with a step, no launch is timed alone unless the caches are to be cold, and
/// interference are not watched; a note says so. Samples that took no time, or less, are left out and noted.
/// @param now_s  the host's clock
/// @throws ClockError if the clock stands still, or as many samples took no time as took some; what launch()
/// and the device throw
Samples take_samples(Device& device, Session& session, const SamplingOptions& options,
                     const std::function<void()>& alive = {}, ReferenceLoop* reference_loop = nullptr,
                     const ClockSeconds& now_s = steady_seconds);

}  // namespace gpuseq::bench
