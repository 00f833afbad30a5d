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
  std::vector<double> seconds;  // per launch, in the order in which they were taken
  int launches_per_sample = 1;
  std::vector<double> single_launch_s;  // of launches that were timed in batches; see take_samples()
  int discarded_throttled = 0;
  int discarded_interference = 0;
  std::optional<results::ReferenceLoopTimes> reference_loop;
  std::string stopped_by;
  std::vector<std::string> notes;
};

/// Times launches of a session on the device's own clock until the median's interval is narrow or a limit is
/// reached. Launches shorter than options.short_launch_seconds are timed in batches, so that clock steps and
/// start-up do not dominate. Then some are timed one by one on the host's clock, from the call until the
/// device is idle. With cold caches every launch is timed alone. Samples taken while the clock is far below
/// its maximum are discarded and counted. With a reference loop, so are samples next to which the loop is
/// slow, and the state may take longer for it (see InterferenceFilter).
///
/// If the host's clock moves in long steps, a sample on a CPU has enough launches to be long compared with a
/// step. Then launches are timed alone only with cold caches, and interference is not detected; a note
/// reports this. Samples that took no time, or less, are discarded and noted.
/// @param alive called before every launch, to show progress to a watcher
/// @param reference_loop  for launches by threads of this process; null: interference is not detected
/// @param now_s  the host's clock
/// @throws ClockError if the clock does not advance, or if at least
/// half of the samples took no time; errors of launch() and the device
Samples take_samples(Device& device, Session& session, const SamplingOptions& options,
                     const std::function<void()>& alive = {}, ReferenceLoop* reference_loop = nullptr,
                     const ClockSeconds& now_s = steady_seconds);

}  // namespace gpuseq::bench
